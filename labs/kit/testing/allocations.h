// Counts allocations, so that slow solutions are detected by numbers and not by time.
#pragma once

#include <cstddef>

#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/testing/left_out.h"

namespace fiberscope::kit::testing {

/// The number of calls of operator new so far, on any thread. Always 0 with sanitizers, which replace it.
std::size_t allocations() noexcept;

/// During its lifetime, operator new succeeds `left` more times on this thread and then throws std::bad_alloc. One at a
/// time. A no-op with sanitizers, which replace operator new; see kMemoryCanEnd.
class AllocationLimit {
  public:
    explicit AllocationLimit(std::size_t left) noexcept;
    ~AllocationLimit();
    AllocationLimit(const AllocationLimit&) = delete;
    AllocationLimit& operator=(const AllocationLimit&) = delete;
};
inline constexpr bool kMemoryCanEnd = !kUnderSanitizer;
/// Skips the test if memory cannot be limited; returns whether it did.
inline bool left_out_where_memory_never_ends() {
    if (!kMemoryCanEnd) leave_out("a sanitizer replaces operator new, which never fails here");
    return !kMemoryCanEnd;
}

}  // namespace fiberscope::kit::testing
