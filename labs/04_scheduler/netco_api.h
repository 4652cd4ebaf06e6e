// Step 4.7: the functions of netco_api: all that a program needs that runs on processors. There is no object of the
// library in it: neither a scheduler nor a task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "labs/kit/time/never.h"

namespace fiberscope::netco_api {

inline constexpr int kAnyProcessor = -1;
inline constexpr std::size_t kStackSize = 64 * 1024;  ///< bytes
using kit::kNever;

/// How many processors this thread's tasks have; the first co_go makes 2 if there are none in the process. Throws
/// std::logic_error if there are some already.
void co_init(unsigned processors);

/// Begins a task, on a processor of one's own choice, or on the one that has the fewest. Called by a thread that has no
/// processors, it uses those of another thread, if there are some, whether they run or not. Throws
/// std::invalid_argument if there is no such processor.
void co_go(std::function<void()> function, std::size_t stack_size = kStackSize, int processor = kAnyProcessor);

/// In a task: lets the others go first. (`co_yield` is a word of C++20.)
void co_pass();
/// In a task: sleeps for `ns` at least.
void co_sleep(std::uint64_t ns);
/// In a task: waits until a descriptor can be read, or written; `limit` ns at most. False if no event came: the limit
/// was first, or lab04::cancel has ended the wait.
bool co_wait_readable(int fd, std::uint64_t limit = kNever);
bool co_wait_writable(int fd, std::uint64_t limit = kNever);

/// Outside of tasks: runs all until none is left (netco's sche_join). If tasks ended by exceptions, throws a
/// std::runtime_error about the first of them: "task 'coroutine 3' ended by: boom", its name and what it threw.
void co_run();

}  // namespace fiberscope::netco_api
