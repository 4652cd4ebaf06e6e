// Steps 3.1 and 3.2: live bytes and images without coroutines. The "shared stack" is a part of this thread's stack, or
// an array.
#include "labs/03_shared_stack/image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "labs/03_shared_stack/tests/support.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/testing/shrink_failures.h"

using namespace fiberscope;
using namespace fiberscope::lab03;

namespace {

kit::Core& this_core() { return *kit::this_thread().own; }

// A stack of `size` bytes whose top is the end of `array`.
template <std::size_t N>
kit::StackBounds ending_with(std::array<std::byte, N>& array, std::size_t size) {
    std::byte* top = array.data() + N;
    asm volatile("" : "+r"(top));  // hides from the compiler that this exceeds the array
    return {top - size, size};
}

template <std::size_t N>
std::array<std::byte, N> counting(unsigned from) {
    std::array<std::byte, N> bytes;
    for (auto& byte : bytes) byte = static_cast<std::byte>(from++);
    return bytes;
}

// The bytes between a local of this function and the top of `stack`; live_bytes must be larger.
[[gnu::noinline]] std::size_t bytes_above_me(const kit::StackBounds& stack, std::size_t& live) {
    volatile char mine = 0;
    live = live_bytes(this_core(), stack);
    return reinterpret_cast<std::uintptr_t>(stack.top()) - reinterpret_cast<std::uintptr_t>(&mine);
}

}  // namespace

TEST_CASE("3.1 the live bytes reach from the top to below the frame of the caller") {
    std::array<std::byte, 64> top_of_stack{};
    const kit::StackBounds stack = ending_with(top_of_stack, std::size_t{64} * 1024);
    std::size_t live = 0;
    const std::size_t above = kit::kUnderAsan ? 0 : bytes_above_me(stack, live);
    if (kit::kUnderAsan) live = live_bytes(this_core(), stack);
    INFO(kit::told(
        message("the caller has a local {0} bytes below the top, and {1} bytes are reported as live", above, live)));
    CHECK(live > above);
    INFO("take the address of a local of live_bytes itself, not of something far away");
    CHECK(live < above + (kit::kUnderSanitizer ? 4096 : 512));
}

TEST_CASE("3.1 the local's own byte is live: a stack that ends with it is entirely live") {
    std::array<std::byte, 64> top_of_stack{};
    const kit::StackBounds large = ending_with(top_of_stack, std::size_t{16} * 1024);
    std::size_t size = large.size, live = 0;
    try {
        for (; size > 0; --size) live = live_bytes(this_core(), {large.top() - size, size});
    } catch (const kit::Misuse&) {
    }
    {
        INFO("the address of a local must lie in the stack");
        REQUIRE(size > 0);
    }
    INFO(kit::told(
        message("the smallest stack that is not refused has {0} bytes, and {1} of them are live", size + 1, live)));
    INFO("everything from the address of the local up to the top is live, including its own byte");
    CHECK(live == size + 1);
}

TEST_CASE("3.1 the deeper the caller, the more bytes are live") {
    INFO("the live bytes are those between a local of live_bytes itself and the top, not the bottom");
    std::array<std::byte, 64> top_of_stack{};
    const kit::StackBounds stack = ending_with(top_of_stack, std::size_t{256} * 1024);
    std::size_t shallow = 0, deep = 0;
    with_depth(256, [&] { shallow = live_bytes(this_core(), stack); });
    with_depth(8192, [&] { deep = live_bytes(this_core(), stack); });
    CHECK(deep > shallow + 7000);
}

TEST_CASE("3.1 more live bytes than the stack has are a typed error, and nothing is saved") {
    INFO("check before anything is copied");
    std::array<std::byte, 64> top_of_stack{};
    const kit::StackBounds small = ending_with(top_of_stack, std::size_t{16} * 1024);
    Image image;
    image.save(ending_with(top_of_stack, 64), 64);
    std::optional<kit::Misuse> misuse;
    with_depth(std::size_t{32} * 1024,
               [&] { misuse = misuse_of([&] { image.save(small, live_bytes(this_core(), small)); }); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == kit::MisuseKind::stack_too_deep);
    CHECK(misuse->name() == this_core().name());
    CHECK(image.size() == 64);
}

TEST_CASE("3.1 control on a stack above this one is refused too, not only below its bottom") {
    INFO("ask whether the stack contains the local: an address above the top is not in the stack either");
    std::array<std::byte, 64> top_of_stack{};
    const kit::StackBounds mine = ending_with(top_of_stack, std::size_t{64} * 1024);
    const kit::StackBounds lower{mine.bottom, std::size_t{16} * 1024};
    const auto misuse = misuse_of([&] { live_bytes(this_core(), lower); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == kit::MisuseKind::stack_too_deep);
}

TEST_CASE("3.1 an image holds the highest bytes of the stack, and only these") {
    INFO("live bytes end at the top: copy from top - bytes");
    auto bytes = counting<1000>(0);
    const kit::StackBounds stack{bytes.data(), bytes.size()};
    Image image;
    image.save(stack, 300);
    {
        INFO("size() is the requested number of bytes, whatever it is");
        REQUIRE(image.size() == 300);
    }
    CHECK(image.capacity() >= 300);
    CHECK(std::memcmp(image.data(), bytes.data() + 700, 300) == 0);
    CHECK(bytes == counting<1000>(0));
}

TEST_CASE("3.1 an image grows when more bytes are live, and reuses its memory when fewer are") {
    EXPECTS("size() is that of the last save, capacity() follows capacity_for, and data() is the top of the stack");
    auto bytes = counting<4000>(0);
    const kit::StackBounds stack{bytes.data(), bytes.size()};
    Image image;
    image.save(stack, 100);
    CHECK(image.capacity() == Image::capacity_for(100));
    {
        INFO("allocate capacity_for(bytes), regardless of the previous capacity: at most a third is unused");
        image.save(stack, 130);
        // Otherwise the next save corrupts the heap, and the program crashes anywhere.
        REQUIRE(image.capacity() == Image::capacity_for(130));
    }
    image.save(stack, 3000);
    REQUIRE(image.size() == 3000);
    REQUIRE(image.capacity() == Image::capacity_for(3000));
    CHECK(std::memcmp(image.data(), bytes.data() + 1000, 3000) == 0);
    const std::byte* memory = image.data();
    image.save(stack, 50);
    CHECK(image.size() == 50);
    INFO("a smaller image reuses the memory of the larger one");
    CHECK(image.data() == memory);
    CHECK(image.capacity() == Image::capacity_for(3000));
    image.save(stack, 3000);
    CHECK(image.data() == memory);
    CHECK(std::memcmp(image.data(), bytes.data() + 1000, 3000) == 0);
    image.save(stack, image.capacity());
    INFO("an image that fits exactly needs no new memory");
    CHECK(image.data() == memory);
}

TEST_CASE("3.1 the memory of a large image is kept for a small one") {
    INFO("the memory of an image never shrinks: a coroutine that is deep now and then allocates only once");
    const std::vector<std::byte> bytes(60'000);
    const kit::StackBounds stack{const_cast<std::byte*>(bytes.data()), bytes.size()};
    Image image;
    image.save(stack, bytes.size());
    const std::size_t large = image.capacity();
    const std::byte* const where = image.data();
    for (const std::size_t few : {1UL, 100UL, 5'000UL}) {
        image.save(stack, few);
        CHECK(image.size() == few);
        CHECK(image.capacity() == large);
    }
    image.save(stack, bytes.size());
    CHECK(image.data() == where);
}

TEST_CASE("3.1 if no memory can be allocated for an image, the last image is kept and nothing has changed") {
    EXPECTS("save allocates memory before it changes anything");
    if constexpr (kit::kUnderSanitizer) {
        SUCCEED("a sanitizer ends the program when memory runs out");
        return;
    }
    auto bytes = counting<200>(0);
    const kit::StackBounds stack{bytes.data(), bytes.size()};
    Image image;
    image.save(stack, 100);
    const std::size_t capacity = image.capacity();
    constexpr std::size_t kTooMuch = (std::size_t{3} << 46) - 1;
    CHECK_THROWS_AS(image.save(stack, kTooMuch), std::bad_alloc);
    INFO("set the capacity only after the allocation: otherwise the next save writes past the end of the memory");
    CHECK(image.capacity() == capacity);
    INFO("nothing changes before the allocation succeeds: size() is still that of the last image");
    CHECK(image.size() == 100);
    INFO("release the old memory only after the new is allocated: its content is still needed if that fails");
    REQUIRE(image.data() != nullptr);
    CHECK(std::memcmp(image.data(), bytes.data() + 100, 100) == 0);
}

// Bytes above the top of a stack: enough for the capacity of an image of 800 bytes.
constexpr std::ptrdiff_t kAbove = 4096;

TEST_CASE("3.2 restoring puts the bytes back below the top, and touches nothing else") {
    auto bytes = counting<1000 + kAbove>(0);
    const kit::StackBounds stack{bytes.data(), 1000};
    Image image;
    image.save(stack, 300);
    std::fill(bytes.begin(), bytes.end(), std::byte{0xa5});
    image.restore(stack);
    const auto expected = counting<1000>(0);
    {
        INFO("the last byte of an image is right below the top: nothing is written above the top");
        REQUIRE(std::count(bytes.begin() + 1000, bytes.end(), std::byte{0xa5}) == kAbove);
    }
    INFO("an image ends at the top of its stack: it begins image.size() bytes below it, and all of them come back");
    CHECK(std::equal(expected.begin() + 700, expected.end(), bytes.begin() + 700));
    CHECK(std::count(bytes.begin(), bytes.begin() + 700, std::byte{0xa5}) == 700);
    std::vector<std::byte> large(100'000, std::byte{0xa5});
    image.restore({large.data(), large.size()});
    INFO("nothing below the image is written, however much is free there: those bytes may belong to another coroutine");
    CHECK(std::count(large.begin(), large.end() - 300, std::byte{0xa5}) == 99'700);
}

TEST_CASE("3.2 the last image is restored, not an older and larger one") {
    auto bytes = counting<1000 + kAbove>(0);
    const kit::StackBounds stack{bytes.data(), 1000};
    Image image;
    image.save(stack, 800);
    std::fill(bytes.begin(), bytes.end(), std::byte{0x11});
    image.save(stack, 100);
    std::fill(bytes.begin(), bytes.end(), std::byte{0x22});
    image.restore(stack);
    INFO("only the 100 bytes of the last save come back, although there is memory for 800");
    CHECK(std::count(bytes.begin(), bytes.begin() + 900, std::byte{0x22}) == 900);
    CHECK(std::count(bytes.begin() + 900, bytes.begin() + 1000, std::byte{0x11}) == 100);
    INFO("size() bytes are restored, not capacity(): nothing is written above the top");
    CHECK(std::count(bytes.begin() + 1000, bytes.end(), std::byte{0x22}) == kAbove);
}
