// Given: counts the system calls of a function, as strace does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace fiberscope::lab02 {

/// Returns how often `body` makes system call `number` (SYS_rt_sigprocmask, for instance). Runs `body` in a child
/// process, which must not record and leaves by _exit; the parent stops it at every system call (ptrace). Returns no
/// value where that is not permitted, under an emulator, or if `body` does not return.
std::optional<std::uint64_t> count_system_calls(long number, const std::function<void()>& body);

}  // namespace fiberscope::lab02
