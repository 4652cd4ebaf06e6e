// Step 5.1: the poller. The contracts are in ../epoller.h; what you are given:
//
//     epoll_create1, eventfd                    as in their manual pages; think of close-on-exec
//     control(EPOLL_CTL_ADD, fd, events)        epoll_ctl, told to the trace; data.fd is fd. False with errno
//     wait_for_events(timeout)                  epoll_wait into buffer_: how many, or -1 with errno
//     epoll_fd_, wake_fd_, full_                yours: nothing given sets them. full_: the last wait filled the buffer
//     system_calls().read, write, close         the C library's
#include "labs/05_epoll_io/epoller.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

Epoller::Epoller() : buffer_(kFirstRoom) {
    kit::not_implemented("5.1", "Epoller: an epoll descriptor, and an eventfd that wakes it");
}

Epoller::~Epoller() { kit::not_implemented("5.1", "~Epoller: close both descriptors"); }

bool Epoller::add(int, std::uint32_t, Trigger) noexcept {
    kit::not_implemented("5.1", "Epoller::add: watch a descriptor");
}

bool Epoller::modify(int, std::uint32_t, Trigger) noexcept {
    kit::not_implemented("5.1", "Epoller::modify: watch it for other events");
}

bool Epoller::remove(int) noexcept { kit::not_implemented("5.1", "Epoller::remove: watch it no longer"); }

std::span<const epoll_event> Epoller::wait(std::uint64_t) {
    // Grows the buffer if it was full, and keeps its own eventfd to itself.
    kit::not_implemented("5.1", "Epoller::wait: what has happened, or nothing after a time-out, a wake or a signal");
}

void Epoller::wake() noexcept { kit::not_implemented("5.1", "Epoller::wake: end a wait, from any thread"); }

}  // namespace fiberscope::lab05
