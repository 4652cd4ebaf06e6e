// Step 5.1: epoll as the event source of lab 04's scheduler. The contracts are in ../epoller.h and in
// ../../04_scheduler/event_source.h. Given:
//
//     at(fd)                       state of a descriptor: armed, readers, writers
//     bit(want)                    EPOLLIN or EPOLLOUT
//     wanted(descriptor)           the events that tasks wait for
//     wake_items(descriptor, e)    wakes the tasks that poll several descriptors (step 5.3)
//     refuse(fd, want)             for a descriptor that epoll refuses, so always ready: adds it to refused_
//     due_, refused_               the result of collect(); events for the next collect()
//     waiting_                     number of waits: plus one in each watch, minus one in each unwatch
//     time_until(until)            the argument for Epoller::wait
//     keep_virtual_time(until)     the last step of collect()
#include "labs/05_epoll_io/epoller.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

bool EpollSource::arm(int, std::uint32_t) noexcept {
    // A descriptor that was closed and reopened is no longer registered: ENOENT.
    kit::not_implemented("5.1", "EpollSource::arm: add, modify, remove, or nothing");
}

void EpollSource::watch(int, Want) {
    kit::not_implemented("5.1", "EpollSource::watch: count it; register the descriptor if it is not registered yet");
}

void EpollSource::unwatch(int, Want) {
    kit::not_implemented("5.1", "EpollSource::unwatch: count it; keep the registration");
}

void EpollSource::tell(int, std::uint32_t) {
    // EPOLLERR and EPOLLHUP concern both readers and writers, and items that wait for EPOLLERR alone.
    kit::not_implemented("5.1", "EpollSource::tell: events for waiting tasks; disarm the others");
}

std::span<Event> EpollSource::collect(std::uint64_t) {
    kit::not_implemented("5.1", "EpollSource::collect: poll, and call tell for each event");
}

}  // namespace fiberscope::lab05
