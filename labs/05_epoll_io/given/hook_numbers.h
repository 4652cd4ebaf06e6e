// What the given names of step 5.5 share: whether they are hooked, and what they do when a number begins or ceases to
// name a descriptor.
#pragma once

#include <ctime>

#include "labs/05_epoll_io/hook.h"

namespace fiberscope::lab05 {

/// Whether the calls of the task that runs here may park it.
inline bool hooked() noexcept { return HookScope::here() != nullptr; }

/// A number that a socket's option is (SOL_SOCKET); 0 if it has none. errno stays as it is.
int option_of(int fd, int option) noexcept;
/// What nanosleep(2) and the like take: it is there, and not below zero. Of any other the kernel says what is wrong.
inline bool is_time(const timespec* time) noexcept {
    constexpr long kInASecond = 1'000'000'000;
    return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < kInASecond;
}

/// The number is new, or is given up: nothing is known of it any more, and the tasks that wait there are woken.
int as_new(int fd) noexcept;
/// The number is new, and shares its open file, and with it its flags, with another one.
int as_copy(int fd) noexcept;
/// The number is new. Only tables are told: sanitizers make pipes in the middle of their own checks, and must come
/// back.
int as_unknown(int fd) noexcept;
/// The same of two, if the call that made them returned 0. The result of that call.
int as_unknown(int result, const int* ends) noexcept;

/// Does nothing, but links the names of given/hook_receives.cpp into the program that calls it.
void names_that_receive() noexcept;

}  // namespace fiberscope::lab05
