// Counts what a test asks of the allocator: slow and lazy solutions are told by numbers, not by time.
#pragma once

#include <cstddef>

namespace fiberscope::kit::testing {

/// How often this program has called operator new so far, on any thread. Sanitizers have one of their own: always 0.
std::size_t allocations() noexcept;

}  // namespace fiberscope::kit::testing
