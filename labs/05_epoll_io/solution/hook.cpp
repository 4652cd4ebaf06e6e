#include "labs/05_epoll_io/hook.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05::hook {

using Kind = HookedDescriptor::Kind;

// ---- first stage ----------------------------------------------------------------------------------------------------

ssize_t read(int fd, void* buffer, std::size_t size) {
    const Kind kind = hooked_descriptor(fd).kind;
    if (kind == Kind::passes || size == 0) return system_calls().read(fd, buffer, size);
    if (hooked_descriptor(fd).at_least > 1) return recv(fd, buffer, size, 0);
    return blocking({"read", fd, Want::read, kNever, size}, [=]() -> long {
        if (kind == Kind::socket) return system_calls().recvfrom(fd, buffer, size, MSG_DONTWAIT, nullptr, nullptr);
        return read_now(fd, buffer, size);
    });
}

ssize_t write(int fd, const void* buffer, std::size_t size) {
    const Kind kind = hooked_descriptor(fd).kind;
    if (kind == Kind::passes || (size == 0 && kind != Kind::socket)) return system_calls().write(fd, buffer, size);
    return in_parts({"write", fd, Want::write}, size, [=](std::size_t done) -> long {
        const auto* rest = static_cast<const char*>(buffer) + done;
        if (kind != Kind::socket) return write_now(fd, rest, size - done);
        return system_calls().sendto(fd, rest, size - done, MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0);
    });
}

// ---- second stage ---------------------------------------------------------------------------------------------------

long blocking(IoCall call, Attempt attempt) {
    const HookedDescriptor descriptor = hooked_descriptor(call.fd);
    if (descriptor.nonblocking) return attempt();
    const std::uint64_t limit = descriptor.limit(call.want);
    if (limit != kNever) call.deadline = deadline_after(limit);
    const long result = perform(call, attempt);
    // A connection may fail with ETIMEDOUT itself; the limit's ETIMEDOUT comes at the deadline.
    if (result < 0 && limit != kNever && last_error() == ETIMEDOUT && kit::now() >= call.deadline)
        set_last_error(EAGAIN);
    return result;
}

// ---- third stage ----------------------------------------------------------------------------------------------------

int connect(int fd, const sockaddr* address, socklen_t length) {
    const HookedDescriptor descriptor = hooked_descriptor(fd);
    if (descriptor.kind != Kind::socket || descriptor.nonblocking) return system_calls().connect(fd, address, length);
    const int flags = system_calls().fcntl(fd, F_GETFL);
    bool begun = false;
    int when_late = EINPROGRESS;
    const long result = blocking({"connect", fd, Want::write}, [=, &begun, &when_late]() -> long {
        // Nonblocking for this call only: the program sees unchanged flags.
        system_calls().fcntl(fd, F_SETFL, flags | O_NONBLOCK);
        const long connected = begun ? io::ended_connect(fd, address, length) : io::begin_connect(fd, address, length);
        const int error = last_error();
        system_calls().fcntl(fd, F_SETFL, flags);
        begun = true;
        if (connected < 0 && error == EALREADY) when_late = EALREADY;  // the program has begun the connect itself
        set_last_error(connected < 0 && error == EALREADY ? EAGAIN : error);
        return connected;
    });
    if (result < 0 && last_error() == EAGAIN) set_last_error(when_late);
    return static_cast<int>(result);
}

std::uint64_t sleep(std::uint64_t ns) {
    const std::uint64_t end = deadline_after(ns);
    const int error = last_error();
    lab04::sleep_for(ns);
    set_last_error(error);
    return kit::time_left(end);
}

}  // namespace fiberscope::lab05::hook
