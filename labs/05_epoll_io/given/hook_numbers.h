// Shared by the given functions of step 5.5: whether they are hooked, and what to do when a descriptor number becomes
// valid or invalid.
#pragma once

#include <ctime>

#include "labs/05_epoll_io/hook.h"

namespace fiberscope::lab05 {

/// Whether calls of the running task may park it.
inline bool hooked() noexcept { return HookScope::here() != nullptr; }

/// Returns an integer socket option (SOL_SOCKET); 0 if the descriptor has none. Preserves errno.
int option_of(int fd, int option) noexcept;
/// Whether nanosleep(2) and similar accept it: not null, and in range. For all others the kernel reports the error.
inline bool is_time(const timespec* time) noexcept {
    constexpr long kInASecond = 1'000'000'000;
    return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < kInASecond;
}

/// For a number that is new or closed: invalidates its entry, and wakes the tasks that wait for it.
int as_new(int fd) noexcept;
/// For a new number that shares its open file, and so its flags, with another one.
int as_copy(int fd) noexcept;
/// For a new number. Only updates tables: sanitizers create pipes during their own checks, and must not be suspended.
int as_unknown(int fd) noexcept;
/// The same for two numbers, if `result` is 0. Returns `result`.
int as_unknown(int result, const int* ends) noexcept;

/// A no-op whose call links given/hook_receives.cpp into the program.
void names_that_receive() noexcept;

}  // namespace fiberscope::lab05
