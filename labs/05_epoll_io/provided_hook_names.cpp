// The C library's names, in front of the C library: what step 5.5 puts behind them. In a task that is hooked a call goes to
// namespace hook; everywhere else straight to the C library. Calls within the C library itself do not pass here (printf,
// getaddrinfo), nor do system calls made by hand.
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/sanitizer.h"

namespace fiberscope::lab05 {
void names_of_the_hook() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

bool hooked() noexcept { return Hooking::here() != nullptr; }

/// A call by a socket's flags: MSG_DONTWAIT in the user's own flags asks for one attempt. `size`: see IoCall.
template <class F>
ssize_t on_socket(const char* op, int fd, Want want, int flags, F call, std::size_t size = 0) {
    if (!hooked() || (flags & MSG_DONTWAIT) != 0) return call(flags);
    const int now = flags | MSG_DONTWAIT | (want == Want::write ? MSG_NOSIGNAL : 0);
    return hook::blocking({op, fd, want, kNever, size}, [=] { return call(now); });
}

std::size_t bytes_of(const iovec* parts, std::size_t count) noexcept {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) bytes += parts[i].iov_len;
    return bytes;
}

/// The rest of `parts` behind the first `done` bytes.
std::vector<iovec> rest_of(const iovec* parts, std::size_t count, std::size_t done) {
    std::vector<iovec> rest(parts, parts + count);
    while (!rest.empty() && done >= rest.front().iov_len) {
        done -= rest.front().iov_len;
        rest.erase(rest.begin());
    }
    if (!rest.empty()) rest.front() = {static_cast<char*>(rest.front().iov_base) + done, rest.front().iov_len - done};
    return rest;
}

/// As a descriptor that blocks: parts, until it is all; `part(done)` does one.
template <class Part>
ssize_t all_of(std::size_t size, int fd, int flags, Part part) {
    const bool one_attempt = !hooked() || (flags & MSG_DONTWAIT) != 0 || hooked_descriptor(fd).nonblocking;
    std::size_t done = 0;
    do {
        const ssize_t more = part(done);
        if (more <= 0 || one_attempt) return done > 0 ? static_cast<ssize_t>(done) : more;
        done += static_cast<std::size_t>(more);
    } while (done < size);
    return static_cast<ssize_t>(done);
}

/// With MSG_WAITALL too.
template <class F>
ssize_t receive(int fd, void* buffer, std::size_t size, int flags, F call) {
    const auto part = [&](std::size_t done) {
        const std::size_t rest = size - done;
        return on_socket(
            "recv", fd, Want::read, flags, [=](int now) { return call(static_cast<char*>(buffer) + done, rest, now); },
            (flags & MSG_PEEK) != 0 ? 0 : rest);
    };
    return (flags & MSG_WAITALL) != 0 ? all_of(size, fd, flags, part) : part(0);
}

/// The descriptor's number is new.
int as_new(int fd) noexcept {
    if (fd < 0) return fd;
    look_again(fd);
    if (EpollSource* source = EpollSource::here()) source->forget(fd);
    return fd;
}

/// The same, of one that shares its flags with another one.
int as_copy(int fd) noexcept {
    if (fd >= 0) {
        note_copy();
        look_again(fd);
    }
    return fd;
}

bool sleeps_here(std::uint64_t ns, std::uint64_t& left) {
    if (!hooked()) return false;
    left = hook::sleep(ns);
    return true;
}

constexpr std::uint64_t kSecond = 1'000'000'000;

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names

extern "C" {

// ---- made and unmade -------------------------------------------------------------------------------------------------------

int socket(int domain, int type, int protocol) noexcept {
    return as_new(system_calls().socket(domain, type, protocol));
}

int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
    if (!hooked()) return as_new(system_calls().accept4(fd, address, length, flags));
    return as_new(static_cast<int>(hook::blocking({"accept", fd, Want::read}, [=] {
        return if_ready(fd, Want::read, [=] { return system_calls().accept4(fd, address, length, flags); });
    })));
}
int accept(int fd, sockaddr* address, socklen_t* length) { return accept4(fd, address, length, 0); }

int connect(int fd, const sockaddr* address, socklen_t length) {
    return hooked() ? hook::connect(fd, address, length) : system_calls().connect(fd, address, length);
}

int close(int fd) {
    look_again(fd);
    EpollSource* source = EpollSource::here();
    return source == nullptr ? system_calls().close(fd) : source->close(fd);
}

int dup(int fd) noexcept { return as_copy(as_new(system_calls().dup(fd))); }

// What `other` named is closed by the call itself.
int dup2(int fd, int other) noexcept {
    if (other != fd) as_new(other);
    return as_copy(system_calls().dup2(fd, other));
}
int dup3(int fd, int other, int flags) noexcept {
    if (other != fd) as_new(other);
    return as_copy(system_calls().dup3(fd, other, flags));
}

// ---- read ------------------------------------------------------------------------------------------------------------------

ssize_t read(int fd, void* buffer, std::size_t size) {
    return hooked() ? hook::read(fd, buffer, size) : system_calls().read(fd, buffer, size);
}

ssize_t readv(int fd, const iovec* parts, int count) {
    if (!hooked() || hooked_descriptor(fd).kind == HookedDescriptor::Kind::passes)
        return system_calls().readv(fd, parts, count);
    if (hooked_descriptor(fd).kind == HookedDescriptor::Kind::socket) {
        msghdr message{};
        message.msg_iov = const_cast<iovec*>(parts);
        message.msg_iovlen = static_cast<std::size_t>(count);
        return recvmsg(fd, &message, 0);
    }
    return hook::blocking({"readv", fd, Want::read}, [=] {
        return if_ready(fd, Want::read, [=] { return system_calls().readv(fd, parts, count); });
    });
}

ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length) {
    return receive(fd, buffer, size, flags, [=](void* place, std::size_t room, int now) {
        return system_calls().recvfrom(fd, place, room, now, address, length);
    });
}
ssize_t recv(int fd, void* buffer, std::size_t size, int flags) {
    return recvfrom(fd, buffer, size, flags, nullptr, nullptr);
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
    return on_socket("recvmsg", fd, Want::read, flags,
                     [=](int now) { return system_calls().recvmsg(fd, message, now); });
}

// ---- write -----------------------------------------------------------------------------------------------------------------

ssize_t write(int fd, const void* buffer, std::size_t size) {
    return hooked() ? hook::write(fd, buffer, size) : system_calls().write(fd, buffer, size);
}

ssize_t writev(int fd, const iovec* parts, int count) {
    if (!hooked() || hooked_descriptor(fd).kind == HookedDescriptor::Kind::passes)
        return system_calls().writev(fd, parts, count);
    ssize_t done = 0;
    for (int i = 0; i < count; ++i) {
        const ssize_t more = hook::write(fd, parts[i].iov_base, parts[i].iov_len);
        if (more < 0) return done > 0 ? done : -1;
        done += more;
        if (static_cast<std::size_t>(more) < parts[i].iov_len) break;
    }
    return done;
}

ssize_t sendto(int fd, const void* buffer, std::size_t size, int flags, const sockaddr* address, socklen_t length) {
    return all_of(size, fd, flags, [=](std::size_t done) {
        return on_socket("send", fd, Want::write, flags, [=](int now) {
            return system_calls().sendto(fd, static_cast<const char*>(buffer) + done, size - done, now, address,
                                         length);
        });
    });
}
ssize_t send(int fd, const void* buffer, std::size_t size, int flags) {
    return sendto(fd, buffer, size, flags, nullptr, 0);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    return all_of(bytes_of(message->msg_iov, message->msg_iovlen), fd, flags, [=](std::size_t done) {
        std::vector<iovec> rest = rest_of(message->msg_iov, message->msg_iovlen, done);
        msghdr part = *message;
        part.msg_iov = rest.data();
        part.msg_iovlen = rest.size();
        if (done > 0) part.msg_controllen = 0;  // what goes along has gone with the first part
        return on_socket("sendmsg", fd, Want::write, flags,
                         [&](int now) { return system_calls().sendmsg(fd, &part, now); });
    });
}

// ---- what a descriptor is --------------------------------------------------------------------------------------------------

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
/// The name under which programs with 64-bit file offsets call it.
int fcntl64(int fd, int command, ...) {
    va_list more;
    va_start(more, command);
    void* argument = va_arg(more, void*);
    va_end(more);
    return fcntl(fd, command, argument);
}

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
    if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO)) look_again_at_copies(fd);
    return result;
}
int getsockopt(int fd, int level, int option, void* value, socklen_t* size) noexcept {
    return system_calls().getsockopt(fd, level, option, value, size);
}

int poll(pollfd* fds, nfds_t count, int timeout) {
    return hooked() ? io::poll(fds, count, timeout) : system_calls().poll(fds, count, timeout);
}

// ---- time ------------------------------------------------------------------------------------------------------------------

unsigned sleep(unsigned seconds) {
    std::uint64_t left = 0;
    if (!sleeps_here(seconds * kSecond, left)) return system_calls().sleep(seconds);
    return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

int usleep(useconds_t us) {
    std::uint64_t left = 0;
    if (!sleeps_here(us * std::uint64_t{1000}, left)) return system_calls().usleep(us);
    if (left == 0) return 0;
    set_last_error(EINTR);
    return -1;
}

int nanosleep(const timespec* duration, timespec* remaining) {
    const bool legal = duration->tv_sec >= 0 && duration->tv_nsec >= 0 && duration->tv_nsec < 1'000'000'000;
    std::uint64_t left = 0;
    if (!legal || !sleeps_here(static_cast<std::uint64_t>(duration->tv_sec) * kSecond +
                                   static_cast<std::uint64_t>(duration->tv_nsec),
                               left))
        return system_calls().nanosleep(duration, remaining);
    if (left == 0) return 0;
    if (remaining != nullptr) *remaining = {static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
    set_last_error(EINTR);
    return -1;
}

// ---- the environment -------------------------------------------------------------------------------------------------------

char* getenv(const char* name) noexcept {
    const Hooking* hooking = Hooking::here();
    if (hooking != nullptr && hooking->environment() != nullptr) {
        const auto found = hooking->environment()->find(name);
        if (found != hooking->environment()->end()) return found->second.data();
    }
    return system_calls().getenv(name);
}

int setenv(const char* name, const char* value, int overwrite) noexcept {
    const Hooking* hooking = Hooking::here();
    const bool sane = name != nullptr && *name != '\0' && std::string_view(name).find('=') == std::string_view::npos;
    if (hooking == nullptr || hooking->environment() == nullptr || !sane)
        return system_calls().setenv(name, value, overwrite);
    if (overwrite != 0 || getenv(name) == nullptr) (*hooking->environment())[name] = value;
    return 0;
}

}  // extern "C"

#endif
