// Step 4.7: netco_api, the complete interface for programs that run on processors. It consists of functions only,
// without scheduler or task objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "labs/kit/time/never.h"

namespace fiberscope::netco_api {

inline constexpr int kAnyProcessor = -1;
inline constexpr std::size_t kStackSize = 64 * 1024;  ///< bytes
using kit::kNever;

/// Sets the number of processors for this thread's tasks; without it the first co_go creates 2 if the process has none.
/// Throws std::logic_error if they already exist.
void co_init(unsigned processors);

/// Starts a task on the given processor, or on the one with the fewest tasks. A thread without processors uses those of
/// another thread, if there are any, whether they run or not. Throws std::invalid_argument if there is no such
/// processor.
void co_go(std::function<void()> function, std::size_t stack_size = kStackSize, int processor = kAnyProcessor);

/// In a task: yields. (`co_yield` is a keyword of C++20.)
void co_pass();
/// In a task: sleeps for at least `ns`.
void co_sleep(std::uint64_t ns);
/// In a task: waits until a descriptor is readable, or writable, for at most `limit` ns. False if the wait timed out or
/// was cancelled by lab04::cancel.
bool co_wait_readable(int fd, std::uint64_t limit = kNever);
bool co_wait_writable(int fd, std::uint64_t limit = kNever);

/// Outside of tasks: runs all tasks until none is left (netco's sche_join). If tasks ended by exceptions, throws a
/// std::runtime_error with the name of the first one and what it threw: "task 'coroutine 3' ended by: boom".
void co_run();

}  // namespace fiberscope::netco_api
