// Step 5.8, a challenge: completions. The contracts are in ../uring.h. Given:
//
//     ring_.next_sqe()             a free SQE, zeroed; null if the ring is full
//     enter(at_least, until)       io_uring_enter: submits all SQEs and waits; (0, 0) only submits
//     ring_.peek(), ring_.seen()   the oldest completion, or null; releases its slot to the kernel
//     InFlight one(*this, request) an operation in flight; its address is the user_data
//     one.park(deadline)           parks the task: event, timeout or cancelled
//     one.land(result)             stores the result and wakes the task; then done() is true
//     one.done(), one.result()     a negative result is a negated errno
//     uring::cancel_request(one)   the request that cancels it
//     uring::send_request(…)       one send, possibly partial
//     set_last_error(errno)        errno of the current thread
#include "labs/05_epoll_io/beyond/uring/uring.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

io_uring_sqe& UringSource::next_sqe() {
    kit::not_implemented("5.8", "UringSource::next_sqe: return a free SQE; submit a full ring first");
}

void UringSource::submit(const Request&, InFlight&) {
    kit::not_implemented("5.8", "UringSource::submit: fill an SQE; no system call");
}

int UringSource::perform(const Request&) {
    // Who owns the buffer when the task is cancelled?
    kit::not_implemented("5.8", "UringSource::perform: submit, park until completion, return the result");
}

void UringSource::let_go(InFlight&) {
    kit::not_implemented("5.8", "UringSource::let_go: cancel it, and wait for both completions");
}

void UringSource::reap() { kit::not_implemented("5.8", "UringSource::reap: process each available completion"); }

std::span<Event> UringSource::wait(std::uint64_t) {
    kit::not_implemented("5.8", "UringSource::wait: one enter, then reap");
}

namespace uring {

ssize_t send(int, const void*, std::size_t, int, std::uint64_t) {
    kit::not_implemented("5.8", "uring::send: send everything");
}

}  // namespace uring

}  // namespace fiberscope::lab05
