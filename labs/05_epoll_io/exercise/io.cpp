// Step 5.2: the calls. The contracts are in ../io.h; what you are given:
//
//     system_calls().recvfrom(…)      the C library's own
//     perform(call, attempt)          until_done, told to the trace. `call` is {"recv", fd, Want::read}, `attempt` a
//                                     lambda
//     wait_until_ready(call)          leaves until the descriptor is ready; 0, or the errno of a wait that ended
//                                     otherwise
//     waits_for_all(fd, flags)        whether recv shall get all of it
//     while_queue_is_full(fd, …)      calls a connect again as long as it returns kQueueFull
//     last_error(), set_last_error    errno
//     EpollSource::here()->forget(fd) a descriptor's number is given out anew; here() may be null
//     EpollSource::here()->close(fd)  forgets and closes
#include "labs/05_epoll_io/io.h"

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

long until_done(const IoCall&, Attempt) {
    kit::not_implemented("5.2", "until_done: try, and where it would block, wait and try again");
}

namespace io {

int socket(int, int, int) { kit::not_implemented("5.2", "io::socket: one that does not block the thread"); }

int accept(int, sockaddr*, socklen_t*) {
    kit::not_implemented("5.2", "io::accept: a connection that does not block the thread either");
}

int begin_connect(int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.2", "io::begin_connect: EINPROGRESS means that it goes on, EAGAIN that nothing has begun");
}

int ended_connect(int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.2", "io::ended_connect: another connect(2) says how it ended");
}

int connect(int, const sockaddr*, socklen_t, std::uint64_t) {
    kit::not_implemented("5.2", "io::connect: begin, wait, ask how it ended; again while the queue is full");
}

ssize_t recv(int, void*, std::size_t, int) { kit::not_implemented("5.2", "io::recv: what there is"); }

ssize_t recvfrom(int, void*, std::size_t, int, sockaddr*, socklen_t*) {
    kit::not_implemented("5.2", "io::recvfrom: what there is, and its sender");
}

ssize_t send(int, const void*, std::size_t, int) { kit::not_implemented("5.2", "io::send: all of it"); }

ssize_t sendto(int, const void*, std::size_t, int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.2", "io::sendto: all of it, to an address");
}

int close(int) { kit::not_implemented("5.2", "io::close: the tasks that wait for it are woken first"); }

}  // namespace io

}  // namespace fiberscope::lab05
