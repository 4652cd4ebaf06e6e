// Step 5.2: the calls. The contracts are in ../io.h. Given:
//
//     system_calls().recvfrom(…)      the C library's function
//     perform(call, attempt)          until_done, recorded in the trace. `call` is {"recv", fd, Want::read}, `attempt`
//                                     a lambda
//     wait_until_ready(call)          yields until the descriptor is ready; 0, or the errno of a wait that ended
//                                     without an event
//     waits_for_all(fd, flags)        whether recv must wait for all bytes
//     while_queue_is_full(fd, …)      retries a connect as long as it returns kQueueFull
//     last_error(), set_last_error    errno
//     EpollSource::here()->forget(fd) for a number that has been reused; here() may be null
//     EpollSource::here()->close(fd)  forgets and closes
#include "labs/05_epoll_io/io.h"

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

long until_done(const IoCall&, Attempt) {
    kit::not_implemented("5.2", "until_done: try; as long as it would block, wait and retry");
}

namespace io {

int socket(int, int, int) { kit::not_implemented("5.2", "io::socket: create a nonblocking socket"); }

int accept(int, sockaddr*, socklen_t*) {
    kit::not_implemented("5.2", "io::accept: accept a connection, which is nonblocking too");
}

int begin_connect(int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.2", "io::begin_connect: EINPROGRESS: in progress; EAGAIN: nothing has begun");
}

int ended_connect(int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.2", "io::ended_connect: get the result by another connect(2)");
}

int connect(int, const sockaddr*, socklen_t, std::uint64_t) {
    kit::not_implemented("5.2", "io::connect: begin, wait, get the result; retry while the queue is full");
}

ssize_t recv(int, void*, std::size_t, int) { kit::not_implemented("5.2", "io::recv: receive available data"); }

ssize_t recvfrom(int, void*, std::size_t, int, sockaddr*, socklen_t*) {
    kit::not_implemented("5.2", "io::recvfrom: receive available data, and its sender");
}

ssize_t send(int, const void*, std::size_t, int) { kit::not_implemented("5.2", "io::send: send everything"); }

ssize_t sendto(int, const void*, std::size_t, int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.2", "io::sendto: send everything to an address");
}

int close(int) { kit::not_implemented("5.2", "io::close: wake the waiting tasks, then close"); }

}  // namespace io

}  // namespace fiberscope::lab05
