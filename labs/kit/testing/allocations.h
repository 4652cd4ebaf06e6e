// Counts what a test asks of the allocator: slow and lazy solutions are told by numbers, not by time.
#pragma once

#include <cstddef>

#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/testing/left_out.h"

namespace fiberscope::kit::testing {

/// How often this program has called operator new so far, on any thread. Sanitizers have one of their own: always 0.
std::size_t allocations() noexcept;

/// As long as it lives, this thread gets memory from operator new `left` times more, and then std::bad_alloc. One at a
/// time. Sanitizers have an operator new of their own: there it does nothing, see kMemoryCanEnd.
class AllocationLimit {
  public:
    explicit AllocationLimit(std::size_t left) noexcept;
    ~AllocationLimit();
    AllocationLimit(const AllocationLimit&) = delete;
    AllocationLimit& operator=(const AllocationLimit&) = delete;
};
inline constexpr bool kMemoryCanEnd = !kUnderSanitizer;
/// Leaves the test out there, and says so.
inline bool left_out_where_memory_never_ends() {
    if (!kMemoryCanEnd) leave_out("a sanitizer has an operator new of its own, which never refuses here");
    return !kMemoryCanEnd;
}

}  // namespace fiberscope::kit::testing
