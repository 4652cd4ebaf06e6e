// Counts what a test asks of the allocator: slow and lazy solutions are told by numbers, not by time.
#pragma once

#include <cstddef>

#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::kit::testing {

/// How often this program has called operator new so far, on any thread. Sanitizers have one of their own: always 0.
std::size_t allocations() noexcept;

/// As long as it lives, this thread gets memory from operator new `left` times more, and then std::bad_alloc. One at a
/// time. Sanitizers have an operator new of their own: there it does nothing, see kMemoryCanEnd.
class LittleMemory {
  public:
    explicit LittleMemory(std::size_t left) noexcept;
    ~LittleMemory();
    LittleMemory(const LittleMemory&) = delete;
    LittleMemory& operator=(const LittleMemory&) = delete;
};
inline constexpr bool kMemoryCanEnd = !kUnderSanitizer;

}  // namespace fiberscope::kit::testing
