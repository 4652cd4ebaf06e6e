#include "labs/kit/testing/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "labs/kit/memory/sanitizer.h"

namespace {
std::atomic<std::size_t> asked{0};
}  // namespace

#if !defined(FIBERSCOPE_ASAN) && !defined(FIBERSCOPE_TSAN)
void* operator new(std::size_t size) {
    asked.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace fiberscope::kit::testing {

std::size_t allocations() noexcept { return asked.load(std::memory_order_relaxed); }

}  // namespace fiberscope::kit::testing
