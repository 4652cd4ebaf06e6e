// A measurement in a process of its own, for work that leaves something behind in its process.
#pragma once

#include <cstddef>
#include <functional>

namespace fiberscope::testing {

/// Calls `work` in a child of this process, and reads what it writes to the descriptor that it is given; false if that
/// is less than `size` bytes, or there was no child. The caller has no other threads.
bool told_by_child(const std::function<void(int told)>& work, void* result, std::size_t size);

/// How many seconds `run` takes.
double seconds_of(const std::function<void()>& run);

/// The same by told_by_child; -1 if `run` returned false, or did not come to its end.
double seconds_apart(const std::function<bool()>& run);

}  // namespace fiberscope::testing
