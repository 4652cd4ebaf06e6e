// Step 5.8, a challenge: completions. The contracts are in ../uring.h; what you are given:
//
//     ring_.next_sqe()             a free SQE, all of it 0; null if the ring is full
//     enter(at_least, until)       io_uring_enter: hands over all SQEs and waits; (0, 0) only hands over
//     ring_.peek(), ring_.seen()   the oldest completion, or null; its place is the kernel's again
//     InFlight one(*this, request) an operation on its way; its address is the user_data
//     one.park(deadline)           parks the task: event, timeout or cancelled
//     one.land(result)             its completion has come: it is done(), and its task is woken
//     one.done(), one.result()     a negative result is an errno with its sign turned
//     uring::cancel_request(one)   what asks the kernel to give it up
//     uring::send_request(…)       one send, which may take less
//     set_last_error(errno)        errno of the thread that runs this
#include "labs/05_epoll_io/beyond/uring/uring.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

io_uring_sqe& UringSource::next_sqe() {
    kit::not_implemented("5.8", "UringSource::next_sqe: a free SQE; a full ring is handed over first");
}

void UringSource::submit(const Request&, InFlight&) {
    kit::not_implemented("5.8", "UringSource::submit: fill an SQE; no system call");
}

int UringSource::perform(const Request&) {
    // Who owns the buffer when the task is cancelled?
    kit::not_implemented("5.8", "UringSource::perform: submit, park until it is done, the result");
}

void UringSource::let_go(InFlight&) {
    kit::not_implemented("5.8", "UringSource::let_go: cancel it, and wait for both completions");
}

void UringSource::reap() { kit::not_implemented("5.8", "UringSource::reap: land each completion that is there"); }

std::span<Event> UringSource::wait(std::uint64_t) {
    kit::not_implemented("5.8", "UringSource::wait: one enter, then reap");
}

namespace uring {

ssize_t send(int, const void*, std::size_t, int, std::uint64_t) {
    kit::not_implemented("5.8", "uring::send: until all of it is sent");
}

}  // namespace uring

}  // namespace fiberscope::lab05
