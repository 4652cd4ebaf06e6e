#include "labs/kit/testing/allocations.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "labs/kit/memory/sanitizer.h"

namespace {
std::atomic<std::size_t> asked{0};

// The number of allocations left to this thread.
constexpr std::size_t kAlways = std::numeric_limits<std::size_t>::max();
thread_local std::size_t left_here = kAlways;

#if !defined(FIBERSCOPE_ASAN) && !defined(FIBERSCOPE_TSAN)
bool may_have_more() noexcept {
    if (left_here == 0) return false;
    if (left_here != kAlways) --left_here;
    return true;
}

/// Overwrites the start of freed memory, so that a use after free does not find the old pointers.
void spoil(void* memory) noexcept {
    if (memory == nullptr) return;
    std::memset(memory, 0xdd, std::min<std::size_t>(malloc_usable_size(memory), 256));
    asm volatile("" : : "r"(memory) : "memory");  // keeps the compiler from dropping the writes before free()
}
#endif
}  // namespace

#if !defined(FIBERSCOPE_ASAN) && !defined(FIBERSCOPE_TSAN)
void* operator new(std::size_t size) {
    asked.fetch_add(1, std::memory_order_relaxed);
    if (!may_have_more()) throw std::bad_alloc();
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    spoil(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif

namespace fiberscope::kit::testing {

std::size_t allocations() noexcept { return asked.load(std::memory_order_relaxed); }

AllocationLimit::AllocationLimit(std::size_t left) noexcept { left_here = left; }
AllocationLimit::~AllocationLimit() { left_here = kAlways; }

}  // namespace fiberscope::kit::testing
