// Step 5.3: one task waits for many descriptors. The contracts are in ../io.h, ../epoller.h and
// ../parts/poll_item.h; what you are given:
//
//     system_calls().poll(fds, count, 0)       what is ready now; fills in revents
//     PollItem{fd, events, task}               one descriptor; EPOLLIN is POLLIN, EPOLLOUT is POLLOUT
//     lab04::running_task()                    this task, for `task` (../../04_scheduler/parts/task.h)
//     EpollSource::here()->watch(item)         from now on an event wakes the task; the item must stay where it is
//     EpollSource::here()->unwatch(item)       no longer
//     wait_until_any(items, deadline)          leaves; 0, ETIMEDOUT, ECANCELED
//     tell_closed(items, fds)                  POLLNVAL for those that were closed meanwhile
//     locals_move()                            items on this task's stack would not stay where they are
//     deadline_after(ns)                       now plus ns
//     kit::ns_of(timeout, kit::kMillisecond)   ms as ns (../../kit/time/units.h); never wraps
#include "labs/05_epoll_io/io.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

int io::poll(pollfd*, nfds_t, int) {
    // A task may be destroyed while it waits: think of a destructor that takes its items back.
    kit::not_implemented("5.3", "io::poll: look, register all, leave, take all back, look again");
}

}  // namespace fiberscope::lab05
