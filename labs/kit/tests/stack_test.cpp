// Stacks: their sizes, and the guard below them.
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <thread>
#include <vector>

#include "labs/kit/memory/depot.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/memory/stack.h"
#include "labs/kit/run/thread_state.h"
#include "testing/catch.h"

using namespace fiberscope;
using kit::Stack;

namespace {

constexpr std::size_t kLargestFrame = 16 * 1024;  // must not skip a guard page

std::size_t one_page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

std::uintptr_t number_of(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// Lets the kernel read it in write(2), so that a failure is an errno and not a signal.
bool is_readable(const std::byte* address) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const bool readable = ::write(ends[1], address, 1) == 1;
    CHECK((readable || errno == EFAULT));
    for (const int end : ends) ::close(end);
    return readable;
}

}  // namespace

TEST_CASE("a stack larger than any system can provide is refused, and an empty one") {
    constexpr std::size_t kAll = ~std::size_t{0};
    for (const std::size_t size : {std::size_t{0}, kAll, kAll - 3 * 4096, kAll - 8 * 4096, kAll / 2, kAll / 4}) {
        CAPTURE(size);
        CHECK_THROWS_AS(Stack(size), std::system_error);
    }
    CHECK(Stack(1).bounds().size == one_page());
}

TEST_CASE("a frame of 16 KiB cannot step over the guard below a stack") {
    for (const std::size_t size : {kit::kDefaultStackSize, std::size_t{64} * 1024, 17 * one_page()}) {
        CAPTURE(size);
        const Stack stack(size);
        const kit::StackBounds bounds = stack.bounds();
        CHECK(is_readable(bounds.bottom));
        for (std::size_t below = 4096; below <= kLargestFrame; below += 4096) {
            CHECK(kit::in_guard(bounds, number_of(bounds.bottom - below)));
            CHECK_FALSE(is_readable(bounds.bottom - below));
        }
    }
}

TEST_CASE("the whole guard is recognised: five pages below an even stack, four below an odd one") {
    INFO("a fault in the lowest page of a guard is a stack overflow too");
    for (const std::size_t pages : {kit::kDefaultStackSize / one_page(), std::size_t{16}, std::size_t{17}}) {
        CAPTURE(pages);
        const Stack stack(pages * one_page());
        const kit::StackBounds bounds = stack.bounds();
        const std::byte* const lowest = bounds.bottom - (pages % 2 == 0 ? 5 : 4) * one_page();
        CHECK_FALSE(is_readable(lowest));
        CHECK(kit::in_guard(bounds, number_of(lowest)));
        CHECK_FALSE(kit::in_guard(bounds, number_of(lowest) - 1));
    }
}

TEST_CASE("stacks that a thread has released are no longer in use, even after it has ended") {
    const std::size_t before = kit::stacks_in_use();
    std::size_t meanwhile = 0;
    std::thread([&] {
        std::vector<Stack> stacks;
        for (int i = 0; i < 20; ++i) stacks.emplace_back(kit::kDefaultStackSize);
        meanwhile = kit::stacks_in_use();
    }).join();
    INFO("a stack in a pool or in the depot belongs to no coroutine");
    CHECK(meanwhile >= before + 20);  // other threads' pools count too
    CHECK(kit::stacks_in_use() == before);
}

namespace {

/// Returns the bytes of address space that this process has mapped.
std::size_t mapped() {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    return pages * one_page();
}

void end_threads(int count) {
    for (int i = 0; i < count; ++i) std::thread([] { kit::this_thread(); }).join();
}

}  // namespace

TEST_CASE("a thread that has ended has released its signal stack") {
    if (kit::kUnderSanitizer) return;
    constexpr std::size_t kSignalStack = 64 * 1024;
    constexpr int kThreads = 200;
    end_threads(10);  // fills the C library's cache of stacks
    const std::size_t before = mapped();
    end_threads(kThreads);
    INFO("every thread with coroutines has a signal stack, which is released with the thread");
    CHECK(mapped() < before + kThreads * kSignalStack / 2);
}

TEST_CASE("a full depot takes no more, and the rest stays in place") {
    constexpr std::size_t kMost = 3;
    static kit::Depot<kMost> depot;
    std::byte blocks[5];
    std::vector<std::byte*> mine;
    for (std::byte& block : blocks) mine.push_back(&block);
    depot.give(mine, mine.size());
    CHECK(depot.size() == kMost);
    CHECK(mine.size() == 2);
    mine.clear();
    mine.reserve(5);
    depot.take(mine, 5);
    CHECK(depot.size() == 0);
    CHECK(mine.size() == kMost);
}

TEST_CASE("more stacks than the depot takes are unmapped when their thread ends") {
    constexpr int kMany = 1'500;  // a pool of 256 and a depot of 1,024
    const std::size_t before = kit::stacks_in_use();
    std::thread([] {
        std::vector<Stack> stacks;
        stacks.reserve(kMany);
        for (int i = 0; i < kMany; ++i) stacks.emplace_back(kit::kDefaultStackSize);
    }).join();
    INFO("stacks that neither a pool nor the depot keeps are unmapped");
    CHECK(kit::stacks_in_use() == before);
}
