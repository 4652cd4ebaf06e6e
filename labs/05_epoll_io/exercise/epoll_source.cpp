// Step 5.1: epoll as the source of events of lab 04's scheduler. The contracts are in ../epoller.h and in
// ../../04_scheduler/event_source.h; what you are given:
//
//     at(fd)                       what is known of a descriptor: armed, readers, writers
//     bit(want)                    EPOLLIN or EPOLLOUT
//     wanted(descriptor)           the events that a task waits for
//     wake_items(descriptor, e)    wakes the tasks that poll several descriptors (step 5.3)
//     refuse(fd, want)             epoll does not take it, so it is always ready: goes into refused_
//     due_, refused_               what collect() returns; what is to be in it the next time
//     waiting_                     how many wait: one more at each watch, one less at each unwatch
//     time_until(until)            what Epoller::wait takes
//     keep_virtual_time(until)     the last thing in collect()
#include "labs/05_epoll_io/epoller.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

bool EpollSource::arm(int, std::uint32_t) noexcept {
    // One that was closed and opened again is no longer registered: ENOENT.
    kit::not_implemented("5.1", "EpollSource::arm: add, modify, remove, or nothing at all");
}

void EpollSource::watch(int, Want) {
    kit::not_implemented("5.1", "EpollSource::watch: one more waits; register what is not registered yet");
}

void EpollSource::unwatch(int, Want) {
    kit::not_implemented("5.1", "EpollSource::unwatch: one less waits; the registration stays");
}

void EpollSource::tell(int, std::uint32_t) {
    // EPOLLERR and EPOLLHUP concern readers and writers alike; and items that wait for EPOLLERR alone.
    kit::not_implemented("5.1", "EpollSource::tell: events for tasks that wait; what no task waits for is disarmed");
}

std::span<Event> EpollSource::collect(std::uint64_t) {
    kit::not_implemented("5.1", "EpollSource::collect: ask the poller, tell what has come");
}

}  // namespace fiberscope::lab05
