#include "labs/05_epoll_io/servers.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

constexpr std::size_t kBuffer = 16 * 1024;

void echo(EchoServer& server, int fd) {
    char buffer[kBuffer];
    for (;;) {
        const ssize_t got = io::recv(fd, buffer, sizeof buffer, 0);
        if (got <= 0) break;
        server.work(fd, static_cast<std::size_t>(got));
        if (io::send(fd, buffer, static_cast<std::size_t>(got), 0) != got) break;
        // No data is left: an immediate retry would be a wasted system call.
        if (got < static_cast<ssize_t>(sizeof buffer)) wait_until_ready({"recv", fd, Want::read});
    }
    server.close(fd);
}

void echo_blocking(EchoServer& server, int fd) {
    char buffer[kBuffer];
    for (;;) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got <= 0) break;
        server.work(fd, static_cast<std::size_t>(got));
        if (::write(fd, buffer, static_cast<std::size_t>(got)) != got) break;
    }
    server.close(fd);
}

}  // namespace

void accept_per_connection(EchoServer& server, int listener) {
    for (;;) {
        const int fd = io::accept(listener, nullptr, nullptr);
        if (fd < 0 && !server.goes_on_after(last_error())) return;
        if (fd >= 0 && server.opened(fd)) lab04::go([&server, fd] { echo(server, fd); }, "connection");
    }
}

void accept_for_pool(EchoServer& server, int listener) {
    while (!server.stopping()) {
        if (server.idle.empty()) {
            server.wait_for_worker();
            continue;
        }
        const int fd = io::accept(listener, nullptr, nullptr);
        if (fd < 0 && !server.goes_on_after(last_error())) return;
        if (fd < 0 || !server.opened(fd)) continue;
        // Another acceptor may have taken the last idle worker.
        while (server.idle.empty() && !server.stopping()) server.wait_for_worker();
        if (server.idle.empty()) {
            server.close(fd);
            return;
        }
        Worker& worker = *server.idle.back();
        server.idle.pop_back();
        worker.fd = fd;
        lab04::wake(lab04::Handle(*worker.task));
    }
}

void serve_in_pool(EchoServer& server, Worker& self) {
    while (!server.stopping()) {
        server.idle.push_back(&self);
        while (self.fd < 0 && !server.stopping()) lab04::park("a connection");
        if (self.fd >= 0) echo(server, std::exchange(self.fd, -1));
    }
}

void accept_hooked(EchoServer& server, int listener) {
    for (;;) {
        const int fd = ::accept(listener, nullptr, nullptr);
        if (fd < 0 && !server.goes_on_after(errno)) return;
        if (fd >= 0 && server.opened(fd)) go_hooked([&server, fd] { echo_blocking(server, fd); }, "connection");
    }
}

}  // namespace fiberscope::lab05
