// Stacks: their sizes, and the guard below them.
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <vector>

#include "labs/kit/memory/depot.h"
#include "labs/kit/memory/stack.h"
#include "testing/catch.h"

using namespace fiberscope;
using kit::Stack;

namespace {

constexpr std::size_t kLargestFrame = 16 * 1024;  // that must not step over a guard

std::size_t one_page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

std::uintptr_t number_of(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// The kernel reads it for write(2), so that the failure is an error number and not a signal.
bool is_readable(const std::byte* address) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const bool readable = ::write(ends[1], address, 1) == 1;
    CHECK((readable || errno == EFAULT));
    for (const int end : ends) ::close(end);
    return readable;
}

}  // namespace

TEST_CASE("a stack that no system can give is refused, and one of nothing") {
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

TEST_CASE("a depot that is full takes no more, and what it has not taken stays where it is") {
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
