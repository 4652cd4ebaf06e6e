#include "labs/05_epoll_io/given/sylar_server.h"

#include <cerrno>

#include "labs/04_scheduler/sylar.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

bool SylarServer::wait(int fd, Want want, std::uint64_t limit) {
    TimerKey timer;
    manager_.add_event(fd, want);  // before its timer, which may expire immediately
    if (limit != kNever) timer = manager_.add_timer(limit, [this, fd, want] { manager_.cancel_event(fd, want); });
    manager_.wait_event(fd, want);
    return limit == kNever || manager_.cancel_timer(timer);
}

ssize_t SylarServer::do_io(int fd, Want want, std::uint64_t limit, Attempt attempt) {
    for (;;) {
        ++call_counts().io;
        const ssize_t done = attempt();
        if (done >= 0 || (last_error() != EAGAIN && last_error() != EINTR)) return done;
        if (last_error() == EINTR) continue;
        ++call_counts().would_block;
        if (wait(fd, want, limit)) continue;
        set_last_error(ETIMEDOUT);
        return -1;
    }
}

void SylarServer::accept_from(int listener) {
    for (;;) {
        const auto fd = static_cast<int>(do_io(listener, Want::read, kNever, [this, listener] {
            if (server_.stopping()) {
                set_last_error(EINVAL);
                return -1;
            }
            return system_calls().accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        }));
        if (fd < 0 && !server_.goes_on_after(last_error())) return;
        if (fd >= 0 && server_.opened(fd)) lab04::go([this, fd] { serve(fd); }, "connection");
    }
}

bool SylarServer::send_all(int fd, const char* bytes, std::size_t size) {
    for (std::size_t sent = 0; sent < size;) {
        const ssize_t n = do_io(fd, Want::write, limit_, [&] {
            return system_calls().sendto(fd, bytes + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0);
        });
        if (n < 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

void SylarServer::serve(int fd) {
    char buffer[16 * 1024];
    for (;;) {
        const ssize_t got = do_io(fd, Want::read, limit_, [&] {
            return system_calls().recvfrom(fd, buffer, sizeof buffer, MSG_DONTWAIT, nullptr, nullptr);
        });
        if (got <= 0) break;
        server_.work(fd, static_cast<std::size_t>(got));
        if (!send_all(fd, buffer, static_cast<std::size_t>(got))) break;
    }
    server_.close(fd);
}

}  // namespace fiberscope::lab05
