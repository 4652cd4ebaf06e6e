// Shared by the tests with sockets: a TCP connection and its reset; a listener whose queue is easily full.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <stdexcept>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

/// A listener of AF_UNIX with an address chosen by the kernel; non-blocking. With a backlog of 0 one connection waits,
/// and the queue is full.
class LocalListener {
  public:
    explicit LocalListener(int backlog) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
        address_.sun_family = AF_UNIX;
        INFO("the system gives the test no listener of AF_UNIX; your code is not at fault");
        REQUIRE(bind(fd_, address(), sizeof address_.sun_family) == 0);
        REQUIRE(getsockname(fd_, reinterpret_cast<sockaddr*>(&address_), &size_) == 0);
        REQUIRE(listen(fd_, backlog) == 0);
    }
    ~LocalListener() { system_calls().close(fd_); }
    LocalListener(const LocalListener&) = delete;
    LocalListener& operator=(const LocalListener&) = delete;

    int fd() const noexcept { return fd_; }
    const sockaddr* address() const noexcept { return reinterpret_cast<const sockaddr*>(&address_); }
    socklen_t size() const noexcept { return size_; }

  private:
    int fd_;
    sockaddr_un address_{};
    socklen_t size_ = sizeof address_;
};

inline constexpr const char* kHere = "127.0.0.1";

/// Makes a close reset the connection.
inline void reset_at_close(int fd) {
    const linger now{1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

inline void reset(Socket& socket) {
    reset_at_close(socket.fd());
    socket.close();
}

/// A connection: the client's end and the server's.
struct Connection {
    Socket client, server;
};
inline Connection connection() {
    Socket listener = Socket::listener(kHere, 0);
    Connection made;
    if (made.client.connect(kHere, listener.port()) != 0) throw std::runtime_error("cannot connect");
    made.server = listener.accept();
    return made;
}

}  // namespace fiberscope::lab05::testing
