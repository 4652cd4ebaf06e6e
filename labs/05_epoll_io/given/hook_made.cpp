// The C library's names, as in hook_names.cpp: functions that create, copy, close or change descriptors. The table's
// entry must be invalidated whenever a number changes its meaning, in any task or thread: so these are intercepted in
// every task and outside of tasks, except accept and connect, which wait.
#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_that_make_descriptors() noexcept { names_that_receive(); }
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <string>

namespace fiberscope::lab05 {

int as_new(int fd) noexcept {
    if (fd < 0) return fd;
    look_again(fd);
    EpollSource* source = EpollSource::here();
    source != nullptr ? source->forget(fd) : announce_close(fd);
    return fd;
}

int as_copy(int fd) noexcept {
    if (fd >= 0) {
        note_copy();
        look_again(fd);
    }
    return fd;
}

int as_unknown(int fd) noexcept {
    if (fd < 0) return fd;
    look_again(fd);
    raise_generation(fd);
    return fd;
}

int as_unknown(int result, const int* ends) noexcept {
    if (result == 0)
        for (const int end : {ends[0], ends[1]}) as_unknown(end);
    return result;
}

namespace {

/// For other descriptors accept(2) fails immediately.
bool listens(int fd) noexcept { return option_of(fd, SO_ACCEPTCONN) != 0; }

bool is_limit(int option) noexcept {
    return option == SO_RCVTIMEO || option == SO_RCVTIMEO_NEW || option == SO_SNDTIMEO || option == SO_SNDTIMEO_NEW;
}

/// An upper bound of this process's descriptor numbers. RLIMIT_NOFILE is not one: it may have been lowered.
int room_for_descriptors() {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word && word != "FDSize:";) {
    }
    int room = 0;
    return in >> room ? room : getdtablesize();
}

/// Copies `fd` to the number `other`. The call closes the old descriptor of this number, so that is unregistered
/// before, unless the call is going to fail.
template <class Copy>
int copy_to(int fd, int other, int flags, Copy copy) {
    if (other != fd && (flags & ~O_CLOEXEC) == 0 && system_calls().fcntl(fd, F_GETFD) >= 0) as_new(other);
    return as_copy(copy());
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: the following are C's names

extern "C" {

// ---- made -----------------------------------------------------------------------------------------------------------

int socket(int domain, int type, int protocol) noexcept {
    return as_new(system_calls().socket(domain, type, protocol));
}
int socketpair(int domain, int type, int protocol, int* ends) noexcept {
    return as_unknown(system_calls().socketpair(domain, type, protocol, ends), ends);
}
int pipe2(int* ends, int flags) noexcept { return as_unknown(system_calls().pipe2(ends, flags), ends); }
int pipe(int* ends) noexcept { return pipe2(ends, 0); }

int openat(int directory, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return as_unknown(system_calls().openat(directory, path, flags, mode));
}
int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return openat(AT_FDCWD, path, flags, mode);
}
/// Names used by programs with 64-bit file offsets.
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int directory, const char* path, int flags, ...) __attribute__((alias("openat")));

// The C library does not use this program's `open` and `close` internally.
int eventfd(unsigned value, int flags) noexcept { return as_unknown(system_calls().eventfd(value, flags)); }
int epoll_create1(int flags) noexcept { return as_unknown(system_calls().epoll_create1(flags)); }
int timerfd_create(clockid_t clock, int flags) noexcept {
    return as_unknown(system_calls().timerfd_create(clock, flags));
}
std::FILE* fopen(const char* path, const char* mode) {
    std::FILE* const stream = system_calls().fopen(path, mode);
    if (stream != nullptr) as_unknown(fileno(stream));
    return stream;
}
/// Name used by programs with 64-bit file offsets.
std::FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

std::FILE* freopen(const char* path, const char* mode, std::FILE* stream) {
    const int error_before = last_error();
    as_new(fileno(stream));
    set_last_error(error_before);
    std::FILE* const again = system_calls().freopen(path, mode, stream);
    if (again != nullptr) as_unknown(fileno(again));
    return again;
}
/// Name used by programs with 64-bit file offsets.
std::FILE* freopen64(const char* path, const char* mode, std::FILE* stream) __attribute__((alias("freopen")));

std::FILE* popen(const char* command, const char* mode) {
    std::FILE* const stream = system_calls().popen(command, mode);
    if (stream != nullptr) as_unknown(fileno(stream));
    return stream;
}

DIR* opendir(const char* path) {
    DIR* const directory = system_calls().opendir(path);
    if (directory != nullptr) as_unknown(dirfd(directory));
    return directory;
}

/// A child that shares its parent's memory would write into the parent's tables.
pid_t vfork() noexcept { return fork(); }

int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
    const auto accept = [=] { return system_calls().accept4(fd, address, length, flags); };
    const bool may_wait = HookScope::here() != nullptr && (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == 0 && listens(fd);
    const long made =
        !may_wait ? accept()
                  : hook::blocking({"accept", fd, Want::read}, [=] { return if_ready(fd, Want::read, accept); });
    return as_new(static_cast<int>(made));
}
int accept(int fd, sockaddr* address, socklen_t* length) { return accept4(fd, address, length, 0); }

int connect(int fd, const sockaddr* address, socklen_t length) {
    if (HookScope::here() == nullptr) return system_calls().connect(fd, address, length);
    const std::uint64_t limit = hooked_descriptor(fd).write_limit;
    const long result = while_queue_is_full(fd, limit == kNever ? kNever : deadline_after(limit),
                                            [=] { return hook::connect(fd, address, length); });
    if (result < 0 && limit != kNever && last_error() == ETIMEDOUT && address != nullptr &&
        address->sa_family == AF_UNIX)
        set_last_error(EAGAIN);
    return static_cast<int>(result);
}

int dup(int fd) noexcept { return as_copy(as_new(system_calls().dup(fd))); }
int dup2(int fd, int other) noexcept {
    return copy_to(fd, other, 0, [=] { return system_calls().dup2(fd, other); });
}
int dup3(int fd, int other, int flags) noexcept {
    return copy_to(fd, other, flags, [=] { return system_calls().dup3(fd, other, flags); });
}

// ---- closed ---------------------------------------------------------------------------------------------------------

int close(int fd) {
    look_again(fd);
    EpollSource* source = EpollSource::here();
    if (source != nullptr) return source->close(fd);
    announce_close(fd);
    return system_calls().close(fd);
}

int fclose(std::FILE* stream) {
    const int error_before = last_error();
    as_new(fileno(stream));
    set_last_error(error_before);
    return system_calls().fclose(stream);
}
int pclose(std::FILE* stream) {
    as_new(fileno(stream));
    return system_calls().pclose(stream);
}
int closedir(DIR* directory) {
    as_new(dirfd(directory));
    return system_calls().closedir(directory);
}
int close_range(unsigned first, unsigned last, int flags) noexcept {
    if ((static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) == 0) {
        const long end = std::min(static_cast<long>(last) + 1, static_cast<long>(room_for_descriptors()));
        for (long fd = first; fd < end; ++fd) as_new(static_cast<int>(fd));
    }
    return system_calls().close_range(first, last, flags);
}

// ---- changed --------------------------------------------------------------------------------------------------------

int fcntl(int fd, int command, ...) {
    va_list more;
    va_start(more, command);
    void* argument = va_arg(more, void*);
    va_end(more);
    const int result = system_calls().fcntl(fd, command, argument);
    if (command == F_SETFL) look_again_at_copies(fd);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) as_copy(as_new(result));
    return result;
}
/// Name used by programs with 64-bit file offsets.
int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));

int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list more;
    va_start(more, request);
    void* argument = va_arg(more, void*);
    va_end(more);
    const int result = system_calls().ioctl(fd, request, argument);
    if (request == FIONBIO) look_again_at_copies(fd);
    return result;
}

int setsockopt(int fd, int level, int option, const void* value, socklen_t size) noexcept {
    const int result = system_calls().setsockopt(fd, level, option, value, size);
    if (result != 0 || level != SOL_SOCKET) return result;
    if (option == SO_RCVLOWAT || is_limit(option)) look_again_at_copies(fd);
    return result;
}

}  // extern "C"

#endif
