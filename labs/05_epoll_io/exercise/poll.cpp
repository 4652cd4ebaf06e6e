// Step 5.3: one task waits for several descriptors. The contracts are in ../io.h, ../epoller.h and
// ../parts/poll_item.h. Given:
//
//     system_calls().poll(fds, count, 0)       polls without waiting; fills in revents
//     PollItem{fd, events, task}               one descriptor; EPOLLIN is POLLIN, EPOLLOUT is POLLOUT
//     lab04::running_task()                    this task, for `task` (../../04_scheduler/parts/task.h)
//     EpollSource::here()->watch(item)         from now on an event wakes the task; the item must not move
//     EpollSource::here()->unwatch(item)       ends this
//     wait_until_any(items, deadline)          yields; 0, ETIMEDOUT, ECANCELED
//     tell_closed(items, fds)                  sets POLLNVAL for descriptors closed during the wait
//     locals_move()                            whether items on this task's stack would move
//     deadline_after(ns)                       now plus ns
//     kit::ns_of(timeout, kit::kMillisecond)   ms as ns (../../kit/time/units.h); saturates
#include "labs/05_epoll_io/io.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

int io::poll(pollfd*, nfds_t, int) {
    // A task may be destroyed while it waits: remove the items in a destructor.
    kit::not_implemented("5.3", "io::poll: poll, register all, yield, unregister all, poll again");
}

}  // namespace fiberscope::lab05
