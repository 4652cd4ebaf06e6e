// Reproducible descriptor numbers for traces: the same in every run, whatever else the process has open.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace fiberscope::kit {

/// Moves the descriptor `fd` to the first free number from `lowest` on, and returns it; returns `fd` if a low limit of
/// the process (ulimit -n) refuses the number. Preserves errno. Makes raw system calls, so that no hook is called.
inline int numbered_from(int lowest, int fd) noexcept {
    const int error_before = errno;
    const auto moved = static_cast<int>(::syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest));
    if (moved >= 0) ::syscall(SYS_close, fd);
    errno = error_before;
    return moved < 0 ? fd : moved;
}

}  // namespace fiberscope::kit
