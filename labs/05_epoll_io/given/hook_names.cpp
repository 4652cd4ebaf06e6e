// The C library's names, intercepted: the given part of step 5.5, written like interpose.cpp. In a hooked task a call
// goes to namespace hook, elsewhere directly to the C library. Calls within the C library (printf, getaddrinfo) and
// direct system calls are not intercepted.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "labs/05_epoll_io/given/hook_messages.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

namespace {

/// Aborts if `next` is the function of this name that every call finds first.
template <class Function>
void check_stands_before(Function next, const char* name) noexcept {
    if (next != nullptr && dlsym(RTLD_DEFAULT, name) != reinterpret_cast<void*>(next)) return;
    // The verdict of a test quotes this message in the student's language.
    kit::report_expected("next_read and next_write are the functions after this program's: dlsym(RTLD_NEXT, …)");
    if (std::getenv("FIBERSCOPE_REPORT_FD") == nullptr)
        std::fprintf(stderr,
                     "interpose.cpp: next_%s() is the %s that this program calls anyway.\n"
                     "Write extern \"C\" %s in interpose.cpp, and let next_%s() look behind it (RTLD_NEXT).\n",
                     name, name, name, name);
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

void names_of_the_hook() {
    names_that_make_descriptors();
    if (!kHookBuilt) return;
    static const bool checked =
        (check_stands_before(next_read(), "read"), check_stands_before(next_write(), "write"), true);
    static_cast<void>(checked);
}

}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

using Kind = HookedDescriptor::Kind;

bool straight(int fd, int flags) noexcept { return !hooked() || (flags & MSG_FASTOPEN) != 0 || never_waits(fd, flags); }
bool straight(int fd, const msghdr* message, int flags) noexcept {
    return !hooked() || never_waits(fd, message, flags);
}

/// For a datagram to an unconnected local socket: epoll reports the sender as writable even if the receiver's queue is
/// full, so waiting for it would spin. Sleeps for a while before the next attempt.
ssize_t pause_at_full_queue(ssize_t sent, const void* address) {
    if (sent >= 0 || address == nullptr || static_cast<const sockaddr*>(address)->sa_family != AF_UNIX) return sent;
    return last_error() == EAGAIN ? pause_and_try_again() : sent;
}

/// Like sendmsg, in one call as far as there is space: separate parts would wait for acknowledgements, and would be
/// separate messages on sockets that preserve message boundaries.
ssize_t send_message(const char* op, int fd, const msghdr& message, int flags) {
    const std::size_t size = bytes_of(message.msg_iov, message.msg_iovlen);
    return in_parts({op, fd, Want::write}, size, [=, &message](std::size_t done) {
        const Slice rest(message.msg_iov, message.msg_iovlen, done, size);
        msghdr part = message;
        part.msg_iov = rest.parts();
        part.msg_iovlen = rest.count();
        if (done > 0) part.msg_controllen = 0;  // ancillary data was sent with the first part
        return pause_at_full_queue(system_calls().sendmsg(fd, &part, flags | MSG_DONTWAIT | MSG_NOSIGNAL),
                                   part.msg_namelen == 0 ? nullptr : part.msg_name);
    });
}

bool sleeps_here(std::uint64_t ns, std::uint64_t& left) {
    if (!hooked()) return false;
    left = hook::sleep(ns);
    return true;
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: the following are C's names
namespace kit = fiberscope::kit;

extern "C" {

// ---- write ----------------------------------------------------------------------------------------------------------

ssize_t writev(int fd, const iovec* parts, int count) {
    if (!hooked() || !means_something(parts, count)) return system_calls().writev(fd, parts, count);
    const HookedDescriptor descriptor = hooked_descriptor(fd);
    if (descriptor.kind == Kind::passes) return system_calls().writev(fd, parts, count);
    if (descriptor.kind == Kind::socket)
        return send_message("writev", fd, message_of(parts, static_cast<std::size_t>(count)), 0);
    const auto many = static_cast<std::size_t>(count);
    const std::size_t size = bytes_of(parts, many);
    return in_parts({"writev", fd, Want::write}, size, [=](std::size_t done) {
        const Slice rest(parts, many, done, size);
        return write_now(fd, rest.parts(), static_cast<int>(rest.count()));
    });
}

ssize_t sendto(int fd, const void* buffer, std::size_t size, int flags, const sockaddr* address, socklen_t length) {
    if (straight(fd, flags)) return system_calls().sendto(fd, buffer, size, flags, address, length);
    return in_parts({"send", fd, Want::write}, size, [=](std::size_t done) {
        return pause_at_full_queue(system_calls().sendto(fd, static_cast<const char*>(buffer) + done, size - done,
                                                         flags | MSG_DONTWAIT | MSG_NOSIGNAL, address, length),
                                   address);
    });
}
ssize_t send(int fd, const void* buffer, std::size_t size, int flags) {
    return sendto(fd, buffer, size, flags, nullptr, 0);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    return straight(fd, message, flags) ? system_calls().sendmsg(fd, message, flags)
                                        : send_message("sendmsg", fd, *message, flags);
}

// ---- poll -----------------------------------------------------------------------------------------------------------

int poll(pollfd* fds, nfds_t count, int timeout) {
    if (!hooked()) return system_calls().poll(fds, count, timeout);
    const int ready = io::poll(fds, count, timeout);
    EpollSource* source = ready > 0 ? EpollSource::here() : nullptr;
    if (source == nullptr) return ready;
    for (const pollfd* one = fds; one != fds + count; ++one)  // the next read need not wait first
        if ((one->revents & (POLLIN | POLLHUP | POLLERR)) != 0 && source->drained(one->fd))
            source->set_drained(one->fd, false);
    return ready;
}

// ---- names used by programs built with _FORTIFY_SOURCE --------------------------------------------------------------

[[noreturn]] void __chk_fail();  // NOLINT: the C library's: aborts

ssize_t __read_chk(int fd, void* buffer, std::size_t size, std::size_t room) {  // NOLINT
    return size <= room ? read(fd, buffer, size) : (__chk_fail(), -1);
}
ssize_t __recv_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags) {  // NOLINT
    return size <= room ? recv(fd, buffer, size, flags) : (__chk_fail(), -1);
}
ssize_t __recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags,  // NOLINT
                       sockaddr* address, socklen_t* length) {
    return size <= room ? recvfrom(fd, buffer, size, flags, address, length) : (__chk_fail(), -1);
}
int __poll_chk(pollfd* fds, nfds_t count, int timeout, std::size_t room) {  // NOLINT
    return count <= room / sizeof *fds ? poll(fds, count, timeout) : (__chk_fail(), -1);
}

// ---- time -----------------------------------------------------------------------------------------------------------

unsigned sleep(unsigned seconds) {
    std::uint64_t left = 0;
    if (!sleeps_here(kit::ns_of(seconds, kit::kSecond), left)) return system_calls().sleep(seconds);
    return static_cast<unsigned>(left / kit::kSecond + (left % kit::kSecond != 0 ? 1 : 0));
}

int usleep(useconds_t us) {
    std::uint64_t left = 0;
    if (!sleeps_here(kit::ns_of(us, kit::kMicrosecond), left)) return system_calls().usleep(us);
    if (left == 0) return 0;
    set_last_error(EINTR);
    return -1;
}

int nanosleep(const timespec* duration, timespec* remaining) {
    std::uint64_t left = 0;
    if (!is_time(duration) || !sleeps_here(kit::ns_of(*duration), left))
        return system_calls().nanosleep(duration, remaining);
    if (left == 0) return 0;
    if (remaining != nullptr) *remaining = kit::timespec_of(left);
    set_last_error(EINTR);
    return -1;
}

// ---- the environment ------------------------------------------------------------------------------------------------

char* getenv(const char* name) noexcept {
    const HookScope* scope = HookScope::here();
    if (scope != nullptr && scope->environment() != nullptr) {
        const auto found = scope->environment()->find(name);
        if (found != scope->environment()->end()) return found->second.data();
    }
    return system_calls().getenv(name);
}

int setenv(const char* name, const char* value, int overwrite) noexcept {
    const HookScope* scope = HookScope::here();
    const bool sane = name != nullptr && *name != '\0' && std::string_view(name).find('=') == std::string_view::npos;
    if (scope == nullptr || scope->environment() == nullptr || !sane)
        return system_calls().setenv(name, value, overwrite);
    if (overwrite != 0 || getenv(name) == nullptr) (*scope->environment())[name] = value;
    return 0;
}

}  // extern "C"

#endif
