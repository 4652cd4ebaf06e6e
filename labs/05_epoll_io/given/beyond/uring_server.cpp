#include "labs/05_epoll_io/given/beyond/uring_server.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "labs/05_epoll_io/beyond/uring.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

// The kernel writes into this buffer while the task is parked: it lies on the task's own stack.
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

void serve_by_uring(Socket&& listener, const PlainServer& plain) {
    constexpr unsigned kEntries = 1024;
    const std::unique_ptr<Ring> ring = kernel_ring(kEntries);
    UringSource source(*ring);
    lab04::Scheduler scheduler(lab04::Settings{.strategy = "multi_state", .source = &source});
    EchoServer server("uring", {.work = plain.work, .sleep = plain.sleep, .listening = {listener.release()}});
    server.start();
    lab04::go([&] {
        uring::poll_readable(plain.stop);
        server.stop();
    });
    if (const auto failures = scheduler.run(); !failures.empty())
        std::fprintf(stderr, "%s: %s\n", failures[0].task.c_str(), failures[0].what.c_str());
}

}  // namespace fiberscope::lab05
