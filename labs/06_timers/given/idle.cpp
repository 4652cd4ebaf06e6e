// Given parts of step 6.7: tasks for connections, and operations on their descriptors.
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "labs/05_epoll_io/io.h"
#include "labs/06_timers/idle.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::lab06 {

lab04::Handle IdleServer::begin(int fd, std::string name) {
    ++figures_.accepted;
    ++figures_.open;
    return lab04::go(
        [this, connection = std::make_shared<Connection>(Connection{fd, name, {}})] {
            struct Closes {
                IdleServer& server;
                int fd;
                ~Closes() {
                    --server.figures_.open;
                    if (lab05::io::close(fd) != 0 && errno == EBADF) ++server.figures_.closed_early;
                }
            };
            const Closes at_the_end{*this, connection->fd};
            serve(connection);
        },
        name);
}

lab04::Handle IdleServer::accept_from(int listener) {
    return lab04::go(
        [this, listener] {
            for (int fd; (fd = lab05::io::accept(listener, nullptr, nullptr)) >= 0;) begin(fd);
        },
        "acceptor");
}

void IdleServer::work() {
    ++figures_.messages;
    if (work_ > 0) kit::work(work_);
}

bool IdleServer::has_unread(const Connection& connection) noexcept {
    char byte;
    return recv(connection.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void IdleServer::shut_down(const Connection& connection) {
    ++figures_.dropped;
    kit::note("{0} drops its peer, silent for too long", connection.name);
    shutdown(connection.fd, SHUT_RDWR);
}

}  // namespace fiberscope::lab06
