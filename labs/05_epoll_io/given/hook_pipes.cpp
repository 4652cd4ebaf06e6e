// Given: reads and writes that do not block, for descriptors without MSG_DONTWAIT: pipes, terminals and similar.
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

std::size_t bytes_of(const iovec* parts, int count) noexcept {
    std::size_t size = 0;
    for (int i = 0; i < count; ++i) size += parts[i].iov_len;
    return size;
}

/// With position -1 the C library's function reads sequentially, like readv.
constexpr off_t kOn = -1;

bool is_refused(ssize_t result) noexcept {
    return result < 0 && (last_error() == EOPNOTSUPP || last_error() == ENOSYS);
}

/// Calls `call(anew)` with a FIFO or terminal reopened as nonblocking: the program's own flags remain unchanged.
/// Returns kNotOpened if it cannot be reopened.
constexpr ssize_t kNotOpened = -2;
template <class F>
ssize_t opened_anew(int fd, int mode, F call) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const int anew = system_calls().openat(AT_FDCWD, path, mode | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (anew < 0) return kNotOpened;
    const ssize_t done = call(anew);
    const int error = last_error();
    system_calls().close(anew);
    set_last_error(error);
    return done;
}

/// Nothing to read, and poll(2) reports no end of file. Some reads return nevertheless.
ssize_t read_unannounced(int fd, const iovec* parts, int count) {
    struct stat status {};
    if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode)) {
        const auto read = [=](int anew) { return system_calls().readv(anew, parts, count); };
        if (const ssize_t got = opened_anew(fd, O_RDONLY, read); got != kNotOpened) return got;
    }
    set_last_error(EAGAIN);
    return -1;
}

/// A number to add to an eventfd's counter. epoll reports it as writable if 1 can be added, but this number may be too
/// large.
ssize_t add_number(int fd, const iovec& part) {
    const long put = without_waiting(fd, [=] { return system_calls().writev(fd, &part, 1); });
    return put < 0 && last_error() == EAGAIN ? pause_and_try_again() : put;
}

/// Writes at most PIPE_BUF bytes, which fit if the pipe is writable. Passes all parts in one call if they are not
/// larger.
ssize_t write_little(int fd, const iovec* parts, int count) {
    if (hooked_descriptor(fd).least != 0) return add_number(fd, *parts);
    const std::size_t size = bytes_of(parts, count);
    // A writable terminal may have space for only one byte. (The master side cannot be reopened.)
    if (int number = 0; isatty(fd) != 0 && system_calls().ioctl(fd, TIOCGPTN, &number) != 0) {
        const auto write = [=](int anew) { return system_calls().writev(anew, parts, count); };
        if (const ssize_t put = opened_anew(fd, O_WRONLY, write); put != kNotOpened)
            return put < 0 && last_error() == EAGAIN ? pause_and_try_again() : put;
    }
    if (size <= PIPE_BUF) return if_ready(fd, Want::write, [=] { return system_calls().writev(fd, parts, count); });
    while (parts->iov_len == 0) ++parts;
    const iovec little{parts->iov_base, std::min<std::size_t>(parts->iov_len, PIPE_BUF)};
    return if_ready(fd, Want::write, [=] { return system_calls().writev(fd, &little, 1); });
}

}  // namespace

/// Sockets have MSG_NOSIGNAL; for others the thread must block the signal and consume it.
long without_sigpipe(Attempt attempt) {
    sigset_t sigpipe, before;
    sigemptyset(&sigpipe);
    sigaddset(&sigpipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
    const long result = attempt();
    const int error = last_error();
    if (sigismember(&before, SIGPIPE) == 1) return result;
    const timespec now{};
    if (result < 0 && error == EPIPE)
        while (sigtimedwait(&sigpipe, nullptr, &now) < 0 && last_error() == EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    set_last_error(error);
    return result;
}

long without_waiting(int fd, Attempt attempt) {
    int error = 0;
    long result = 0;
    {
        static kit::Lock one_at_a_time;
        const kit::Guard held(one_at_a_time);
        const int before = system_calls().fcntl(fd, F_GETFL);
        system_calls().fcntl(fd, F_SETFL, before | O_NONBLOCK);
        result = attempt();
        error = last_error();
        if ((before & O_NONBLOCK) == 0) system_calls().fcntl(fd, F_SETFL, before);
    }
    set_last_error(error);
    return result;
}

long if_ready(int fd, Want want, Attempt attempt) {
    pollfd one{fd, static_cast<short>(want == Want::read ? POLLIN : POLLOUT), 0};
    if (fd < 0) return attempt();
    if (system_calls().poll(&one, 1, 0) != 0) {
        const auto now = [=] { return without_waiting(fd, attempt); };
        return want == Want::write ? without_sigpipe(now) : now();
    }
    set_last_error(EAGAIN);
    return -1;
}

long pause_and_try_again() {
    lab04::sleep_for(kit::kMillisecond);
    set_last_error(EAGAIN);
    return -1;
}

ssize_t read_now(int fd, const iovec* parts, int count) {
    const HookedDescriptor descriptor = hooked_descriptor(fd);
    if (descriptor.nonblocking) return system_calls().readv(fd, parts, count);
    if (descriptor.takes_nowait) {
        const ssize_t got = system_calls().preadv2(fd, parts, count, kOn, RWF_NOWAIT);
        if (!is_refused(got)) return got;
        note_no_nowait(fd);
    }
    if (bytes_of(parts, count) < descriptor.least) return system_calls().readv(fd, parts, count);
    const ssize_t got = if_ready(fd, Want::read, [=] { return system_calls().readv(fd, parts, count); });
    return got < 0 && last_error() == EAGAIN ? read_unannounced(fd, parts, count) : got;
}

ssize_t write_now(int fd, const iovec* parts, int count) {
    const HookedDescriptor descriptor = hooked_descriptor(fd);
    if (descriptor.nonblocking) return without_sigpipe([=] { return system_calls().writev(fd, parts, count); });
    if (descriptor.takes_nowait) {
        const ssize_t put = without_sigpipe([=] { return system_calls().pwritev2(fd, parts, count, kOn, RWF_NOWAIT); });
        if (!is_refused(put)) return put;
        note_no_nowait(fd);
    }
    return write_little(fd, parts, count);
}

ssize_t read_now(int fd, void* buffer, std::size_t size) {
    const iovec part{buffer, size};
    return read_now(fd, &part, 1);
}

ssize_t write_now(int fd, const void* buffer, std::size_t size) {
    const iovec part{const_cast<void*>(buffer), size};
    return write_now(fd, &part, 1);
}

}  // namespace fiberscope::lab05
