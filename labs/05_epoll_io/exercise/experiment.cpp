// Step 5.7: the experiment. The contracts are in ../experiment.h. Given:
//
//     serve_once(fd, server)      reads, works, sends; false at the end of the connection
//     accept_plainly(listener)    the next connection, or -1 with errno
//     out_of_descriptors(errno)   (servers.h) whether the connection stays in the queue, and the listener readable,
//                                 until a descriptor is free
//     kit::ms_of(ns)              milliseconds, rounded up, for epoll_wait
//
// This step uses no coroutines, only epoll_create1, epoll_ctl, epoll_wait and std::thread.
#include "labs/05_epoll_io/experiment.h"

#include "labs/05_epoll_io/servers.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

void serve_in_the_loop(const PlainServer&) {
    kit::not_implemented("5.7", "serve_in_the_loop: epoll, with the work in its loop");
}

void serve_in_a_pool(const PlainServer&) {
    kit::not_implemented("5.7", "serve_in_a_pool: epoll, with the work in threads");
}

}  // namespace fiberscope::lab05
