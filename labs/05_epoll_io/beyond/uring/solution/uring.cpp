#include "labs/05_epoll_io/beyond/uring/uring.h"

#include <cerrno>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

io_uring_sqe& UringSource::next_sqe() {
    io_uring_sqe* sqe = ring_.next_sqe();
    while (sqe == nullptr) {
        enter(0, 0);
        sqe = ring_.next_sqe();
    }
    return *sqe;
}

void UringSource::submit(const Request& request, InFlight& operation) {
    io_uring_sqe& sqe = next_sqe();
    sqe.opcode = request.opcode;
    sqe.fd = request.fd;
    sqe.addr = request.address;
    sqe.len = request.size;
    sqe.off = request.off;
    sqe.msg_flags = request.flags;
    sqe.user_data = reinterpret_cast<std::uint64_t>(&operation);
}

int UringSource::perform(const Request& request) {
    InFlight operation(*this, request);
    submit(request, operation);
    Wake woken = Wake::event;
    while (!operation.done() && woken == Wake::event) woken = operation.park(request.deadline);
    if (!operation.done()) let_go(operation);
    if (operation.result() >= 0) return operation.result();
    const bool too_late = operation.result() == -ECANCELED && woken == Wake::timeout;
    set_last_error(too_late ? ETIMEDOUT : -operation.result());
    return -1;
}

void UringSource::let_go(InFlight& operation) {
    const Request request = uring::cancel_request(operation);
    InFlight cancel(*this, request);
    submit(request, cancel);
    while (!cancel.done()) cancel.park();
    while (!operation.done()) operation.park();
}

void UringSource::reap() {
    while (const io_uring_cqe* cqe = ring_.peek()) {
        reinterpret_cast<InFlight*>(cqe->user_data)->land(cqe->res);
        ring_.seen();
    }
}

std::span<Event> UringSource::wait(std::uint64_t until) {
    enter(until == 0 ? 0 : 1, until);
    reap();
    return {};
}

namespace uring {

ssize_t send(int fd, const void* buffer, std::size_t size, int flags, std::uint64_t deadline) {
    std::size_t sent = 0;
    do {
        const char* rest = static_cast<const char*>(buffer) + sent;
        const int more = UringSource::here().perform(send_request(fd, rest, size - sent, flags, deadline));
        if (more < 0 && sent == 0) return -1;
        if (more <= 0) break;
        sent += static_cast<std::size_t>(more);
    } while (sent < size);
    return static_cast<ssize_t>(sent);
}

}  // namespace uring

}  // namespace fiberscope::lab05
