// Step 5.6: echo servers. The contracts are in ../servers.h. Given:
//
//     io::accept, recv, send            step 5.2
//     lab04::go(body, name)             lab 04; go_hooked(body, name): step 5.5
//     lab04::park("reason")             a worker parks; lab04::wake(lab04::Handle(*worker.task)) wakes it
//     server.opened(fd)                 registers a new connection; false if the server is stopping
//     server.work(fd, bytes)            to be called between reading and answering
//     server.close(fd)                  closes it
//     server.goes_on_after(errno)       whether to accept again after a failed accept
//     server.idle, wait_for_worker()    for the pool
//     wait_until_ready(…)               step 5.2: where an immediate attempt would return EAGAIN
#include "labs/05_epoll_io/servers.h"

#include "labs/05_epoll_io/hook.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

void accept_per_connection(EchoServer&, int) {
    kit::not_implemented("5.6", "accept_per_connection: start a task per connection");
}

void accept_for_pool(EchoServer&, int) {
    // There may be several acceptors, but only one pool.
    kit::not_implemented("5.6", "accept_for_pool: pass each connection to an idle worker");
}

void serve_in_pool(EchoServer&, Worker&) {
    kit::not_implemented("5.6", "serve_in_pool: idle and parked, or serving a connection");
}

void accept_hooked(EchoServer&, int) {
    kit::not_implemented("5.6", "accept_hooked: the same with plain blocking calls");
}

}  // namespace fiberscope::lab05
