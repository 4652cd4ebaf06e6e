#include "labs/05_epoll_io/io.h"

#include <cerrno>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

long until_done(const IoCall& call, Attempt attempt) {
    for (;;) {
        const long result = attempt();
        if (result >= 0) return result;
        const int error = last_error();
        if (error == EINTR) continue;
        if (error != EAGAIN && error != EWOULDBLOCK) return result;
        if (const int ended = wait_until_ready(call)) {
            set_last_error(ended);
            return -1;
        }
    }
}

namespace io {

namespace {

/// The number may have been that of a descriptor closed without our knowledge.
int as_new(int fd) {
    EpollSource* source = fd >= 0 ? EpollSource::here() : nullptr;
    if (source != nullptr) source->forget(fd);
    return fd;
}

/// Repeats partial writes until everything is sent; returns less after a partial write followed by an end or an error.
template <class Part>
ssize_t whole(std::size_t size, Part part) {
    std::size_t done = 0;
    do {
        const ssize_t more = part(done);
        if (more <= 0) return done > 0 ? static_cast<ssize_t>(done) : more;
        done += static_cast<std::size_t>(more);
    } while (done < size);
    return static_cast<ssize_t>(done);
}

}  // namespace

int socket(int domain, int type, int protocol) {
    return as_new(system_calls().socket(domain, type | SOCK_NONBLOCK, protocol));
}

int accept(int fd, sockaddr* address, socklen_t* length) {
    return as_new(static_cast<int>(perform(
        {"accept", fd, Want::read}, [=] { return system_calls().accept4(fd, address, length, SOCK_NONBLOCK); })));
}

int begin_connect(int fd, const sockaddr* address, socklen_t length) {
    const int result = system_calls().connect(fd, address, length);
    if (result == 0) return 0;
    if (last_error() == EAGAIN) return kQueueFull;
    if (last_error() == EINPROGRESS || last_error() == EINTR) set_last_error(EAGAIN);
    return -1;
}

int ended_connect(int fd, const sockaddr* address, socklen_t length) {
    if (system_calls().connect(fd, address, length) == 0 || last_error() == EISCONN) return 0;
    if (last_error() == EALREADY) set_last_error(EAGAIN);
    return -1;
}

int connect(int fd, const sockaddr* address, socklen_t length, std::uint64_t deadline) {
    return static_cast<int>(while_queue_is_full(fd, deadline, [=] {
        bool begun = false;
        return perform({"connect", fd, Want::write, deadline}, [=, &begun] {
            return std::exchange(begun, true) ? ended_connect(fd, address, length) : begin_connect(fd, address, length);
        });
    }));
}

ssize_t recv(int fd, void* buffer, std::size_t size, int flags) {
    return recvfrom(fd, buffer, size, flags, nullptr, nullptr);
}

ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length) {
    const auto part = [=](std::size_t got) {
        return perform({"recv", fd, Want::read}, [=] {
            return system_calls().recvfrom(fd, static_cast<char*>(buffer) + got, size - got, flags | MSG_DONTWAIT,
                                           address, length);
        });
    };
    return waits_for_all(fd, flags) ? whole(size, part) : part(0);
}

ssize_t send(int fd, const void* buffer, std::size_t size, int flags) {
    return sendto(fd, buffer, size, flags, nullptr, 0);
}

ssize_t sendto(int fd, const void* buffer, std::size_t size, int flags, const sockaddr* address, socklen_t length) {
    return whole(size, [=](std::size_t sent) {
        return perform({"send", fd, Want::write}, [=] {
            return system_calls().sendto(fd, static_cast<const char*>(buffer) + sent, size - sent,
                                         flags | MSG_DONTWAIT | MSG_NOSIGNAL, address, length);
        });
    });
}

int close(int fd) {
    EpollSource* source = EpollSource::here();
    return source == nullptr ? system_calls().close(fd) : source->close(fd);
}

}  // namespace io

}  // namespace fiberscope::lab05
