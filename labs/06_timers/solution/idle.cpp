#include "labs/06_timers/idle.h"

#include "labs/05_epoll_io/io.h"

namespace fiberscope::lab06 {

namespace io = lab05::io;

void IdleServer::begin_limit(const ConnectionHandle& connection) {
    const std::weak_ptr<Connection> there = connection;
    connection->alarm = manager_.add_condition(
        limit_,
        [this, there] {
            if (const ConnectionHandle still = there.lock()) silent(still);
        },
        there);
}

void IdleServer::serve(const ConnectionHandle& connection) {
    char buffer[4096];
    begin_limit(connection);
    for (;;) {
        const ssize_t got = io::recv(connection->fd, buffer, sizeof buffer, 0);
        if (got <= 0) break;
        work();
        manager_.refresh(connection->alarm);
        connection->answering = true;
        if (io::send(connection->fd, buffer, static_cast<std::size_t>(got), 0) != got) break;
        connection->answering = false;
    }
    manager_.cancel(connection->alarm);
}

void IdleServer::silent(const ConnectionHandle& connection) {
    // Unread data of a client that does not read its answers proves nothing: it would stay unread forever.
    if (!connection->answering && has_unread(*connection))
        begin_limit(connection);
    else
        shut_down(*connection);
}

}  // namespace fiberscope::lab06
