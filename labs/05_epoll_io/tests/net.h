// What the tests over TCP share: a connection, and its end by a reset.
#pragma once

#include <netinet/in.h>

#include <stdexcept>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support.h"

namespace fiberscope::lab05::testing {

inline constexpr const char* kHere = "127.0.0.1";

/// From now on closing it resets the connection.
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
