// Step 2.5: netco's memory pool and object pool.
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/02_ucontext/coroutine.h"
#include "labs/02_ucontext/pool.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/allocations.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;

namespace {

// Counts the chunks that it allocated and got back.
class CountingSource : public std::pmr::memory_resource {
  public:
    std::vector<std::size_t> given;
    std::size_t outstanding = 0;
    bool empty = false;

  private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (empty) throw std::bad_alloc();
        given.push_back(bytes);
        outstanding += bytes;
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        outstanding -= bytes;
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

struct Noisy {
    static inline int built = 0;
    static inline int destroyed = 0;
    int value = 7;
    Noisy() { ++built; }
    explicit Noisy(int v) : value(v) {
        if (v < 0) throw std::invalid_argument("negative");
        ++built;
    }
    ~Noisy() { ++destroyed; }
};

template <class F>
std::string error_of(F act) {
    try {
        act();
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("2.5 the pool grows by 40 blocks, then by 41, then by 42") {
    INFO("a pool asks for memory only when its free list is empty");
    CountingSource source;
    MemoryPool pool(32, 8, false, &source);
    CHECK(source.given.empty());
    std::vector<std::size_t> sizes;
    for (int i = 0; i < 40 + 41 + 1; ++i) {
        static_cast<void>(pool.take());
        sizes.push_back(pool.blocks());
    }
    {
        INFO("netco: (number of growths so far + 40) times the size of a block");
        CHECK(source.given == std::vector<std::size_t>{40 * 32, 41 * 32, 42 * 32});
    }
    INFO("new_chunk counts the blocks of the pool, take and release those in use; each block must be linked once");
    INFO("take grows the pool when no block is free, and not before");
    CHECK(sizes[39] == 40);
    CHECK(sizes[40] == 81);
    CHECK(sizes[81] == 123);
    CHECK(pool.in_use() == 82);
}

TEST_CASE("2.5 blocks do not overlap, and are aligned") {
    INFO("divide a chunk into adjacent blocks of block_size() bytes");
    MemoryPool pool(40, 32, false);
    std::vector<std::byte*> blocks;
    for (int i = 0; i < 100; ++i) blocks.push_back(static_cast<std::byte*>(pool.take()));
    for (std::size_t i = 0; i < blocks.size(); ++i) std::memset(blocks[i], static_cast<int>(i), 40);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        REQUIRE(reinterpret_cast<std::uintptr_t>(blocks[i]) % 32 == 0);
        for (int k = 0; k < 40; ++k) REQUIRE(blocks[i][k] == static_cast<std::byte>(i));
    }
}

TEST_CASE("2.5 the block that was released last is taken first, and the pool does not grow for it") {
    INFO("the free list is a stack: release adds a block at the front, take removes the one at the front");
    CountingSource source;
    MemoryPool pool(24, 8, false, &source);
    void* a = pool.take();
    void* b = pool.take();
    pool.release(a);
    pool.release(b);
    CHECK(pool.in_use() == 0);
    CHECK(pool.take() == b);
    CHECK(pool.take() == a);
    for (int i = 0; i < 1000; ++i) pool.release(pool.take());
    CHECK(source.given.size() == 1);
    CHECK(pool.in_use() == 2);
}

TEST_CASE("2.5 a fresh chunk is used from its lowest block on") {
    INFO("link a chunk so that its lowest block is at the front of the free list");
    MemoryPool pool(64, 16, false);
    auto* first = static_cast<std::byte*>(pool.take());
    auto* second = static_cast<std::byte*>(pool.take());
    CHECK(second - first == 64);
}

TEST_CASE("2.5 nothing leaks, whether or not the blocks were released") {
    INFO("the destructor returns every chunk, including those with blocks in use");
    CountingSource source;
    {
        MemoryPool pool(48, 16, false, &source);
        std::vector<void*> blocks;
        for (int i = 0; i < 500; ++i) blocks.push_back(pool.take());
        for (std::size_t i = 0; i < blocks.size(); i += 2) pool.release(blocks[i]);
        CHECK(source.outstanding > 0);
    }
    CHECK(source.outstanding == 0);
}

TEST_CASE("2.5 if no memory can be allocated, nothing has changed") {
    INFO("change neither the counts nor the list before the source has provided the chunk");
    CountingSource source;
    MemoryPool pool(32, 8, false, &source);
    std::vector<void*> blocks;
    for (int i = 0; i < 40; ++i) blocks.push_back(pool.take());
    source.empty = true;
    {
        INFO("take propagates the exception of the source, and never returns null");
        CHECK_THROWS_AS(pool.take(), std::bad_alloc);
    }
    CHECK(pool.in_use() == 40);
    CHECK(pool.growths() == 1);
    pool.release(blocks[3]);
    CHECK(pool.take() == blocks[3]);
}

TEST_CASE("2.5 a double release is detected, wherever in the free list the block is") {
    INFO("with checks on, release searches the whole free list for the block");
    MemoryPool pool(32, 8, true);
    std::vector<void*> blocks;
    for (int i = 0; i < 45; ++i) blocks.push_back(pool.take());
    for (void* block : blocks) pool.release(block);
    for (void* block : blocks) {
        const std::string error = error_of([&] { pool.release(block); });
        REQUIRE(error == "a block is released twice: it is in the pool's free list already");
    }
    INFO("a refused release changes nothing: call require_in_use before you count");
    CHECK(pool.in_use() == 0);
}

TEST_CASE("2.5 a release is checked even while no block is free") {
    INFO("check every release: call require_in_use even while the free list is empty");
    MemoryPool mine(32, 8, true), other(32, 8, true);
    void* const foreign = other.take();
    const std::string expected = "a block is released to a pool that it did not come from";
    CHECK(error_of([&] { mine.release(foreign); }) == expected);
    while (mine.in_use() < kFirstGrowth) static_cast<void>(mine.take());
    CHECK(error_of([&] { mine.release(foreign); }) == expected);
    CHECK(mine.in_use() == kFirstGrowth);
}

TEST_CASE("2.5 a non-trivial object is constructed by acquire and destroyed by release") {
    INFO("acquire constructs from its arguments, and release destroys, unless that is trivial");
    Noisy::built = Noisy::destroyed = 0;
    ObjectPool<Noisy> pool;
    Noisy* one = pool.acquire();
    Noisy* two = pool.acquire(3);
    CHECK(one->value == 7);
    CHECK(two->value == 3);
    CHECK(Noisy::built == 2);
    pool.release(one);
    pool.release(two);
    CHECK(Noisy::destroyed == 2);
    CHECK(pool.memory().in_use() == 0);
}

TEST_CASE("2.5 a constructor that throws releases its block") {
    INFO("if the constructor throws, release the block before rethrowing");
    ObjectPool<Noisy> pool;
    CHECK_THROWS_AS(pool.acquire(-1), std::invalid_argument);
    CHECK(pool.memory().in_use() == 0);
    Noisy* next = pool.acquire(1);
    CHECK(pool.memory().in_use() == 1);
    pool.release(next);
}

TEST_CASE("2.5 each growth adds one more block than the last, however many there were") {
    INFO("after n growths the next one adds 40 + n blocks, all on the list, and only when no block is free");
    MemoryPool pool(16, 8, false);
    std::size_t expected = 0;
    for (std::size_t growth = 0; growth < 60; ++growth) {
        expected += kFirstGrowth + growth;
        while (pool.in_use() < expected) pool.take();
        REQUIRE(pool.blocks() == expected);
    }
}

TEST_CASE("2.5 a growth adds the same number of blocks whatever their size") {
    INFO("the first growth adds kFirstGrowth blocks: the constant counts blocks, not bytes");
    for (const std::size_t size : {std::size_t{1}, std::size_t{5'000}, std::size_t{300'000}}) {
        MemoryPool pool(size, 8, false);
        static_cast<void>(pool.take());
        CHECK(pool.blocks() == kFirstGrowth);
    }
}

TEST_CASE("2.5 a double release is detected even if the block is the only free one or the last") {
    INFO("search the whole free list, including its last block");
    MemoryPool pool(32, 8, true);
    std::vector<void*> all;
    for (std::size_t i = 0; i < kFirstGrowth; ++i) all.push_back(pool.take());
    for (std::size_t i = 0; i < all.size(); ++i) {
        pool.release(all[i]);
        for (std::size_t released = 0; released <= i; ++released)
            REQUIRE_FALSE(error_of([&] { pool.release(all[released]); }).empty());
    }
    CHECK(pool.in_use() == 0);
}

TEST_CASE("2.5 without checks a release accesses only its own block") {
    EXPECTS("only a checked pool walks its free list: without checks a release writes one link and reads none");
    MemoryPool pool(32, 8, false);
    void* const one = pool.take();
    void* const two = pool.take();
    pool.release(one);
    const std::uintptr_t nowhere = 64;  // a function that follows a link of the list ends up here
    void* link = nullptr;
    std::memcpy(&link, one, sizeof link);
    std::memcpy(one, &nowhere, sizeof nowhere);
    pool.release(two);
    std::memcpy(one, &link, sizeof link);
    CHECK(pool.take() == two);
    CHECK(pool.take() == one);
}

TEST_CASE("2.5 each pool counts only its own growths, and only successful ones") {
    INFO("growths() is the number of this pool's growths; new_chunk counts them");
    CountingSource source;
    MemoryPool first(32, 8, false, &source), second(32, 8, false, &source);
    static_cast<void>(first.take());
    static_cast<void>(second.take());
    CHECK(second.blocks() == kFirstGrowth);
    MemoryPool third(32, 8, false, &source);
    source.empty = true;
    CHECK_THROWS_AS(third.take(), std::bad_alloc);
    source.empty = false;
    static_cast<void>(third.take());
    CHECK(third.blocks() == kFirstGrowth);
}
