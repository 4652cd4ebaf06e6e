#include "labs/05_epoll_io/beyond/uring/given/uring_server.h"

#include "labs/05_epoll_io/beyond/uring/uring.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

// The kernel writes into this buffer, on the task's own stack, while the task is parked.
void echo_by_uring(EchoServer& server, int fd) {
    char message[16 * 1024];
    for (ssize_t size; (size = uring::recv(fd, message, sizeof message)) > 0;) {
        server.work(fd, static_cast<std::size_t>(size));
        if (uring::send(fd, message, static_cast<std::size_t>(size)) != size) break;
    }
    server.close(fd);
}

}  // namespace

void accept_by_uring(EchoServer& server, int listener) {
    for (bool goes_on = true; goes_on;) {
        const int connection = uring::accept(listener);
        goes_on = connection >= 0 || server.goes_on_after(last_error());
        if (connection < 0 || !server.opened(connection)) continue;
        lab04::go([&server, connection] { echo_by_uring(server, connection); }, "connection");
    }
}

}  // namespace fiberscope::lab05
