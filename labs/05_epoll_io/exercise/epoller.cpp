// Step 5.1: the poller. The contracts are in ../epoller.h. Given:
//
//     epoll_create1, eventfd                    see their manual pages; remember close-on-exec
//     control(EPOLL_CTL_ADD, fd, events)        epoll_ctl with data.fd = fd, recorded; false with errno
//     wait_for_events(timeout)                  epoll_wait into buffer_: the number of events, or -1 with errno
//     epoll_fd_, wake_fd_, full_                members only you set; full_: the last wait filled the buffer
//     system_calls().read, write, close         the C library's functions
#include "labs/05_epoll_io/epoller.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

Epoller::Epoller() : buffer_(kFirstRoom) {
    kit::not_implemented("5.1", "Epoller: an epoll descriptor, and an eventfd that wakes it");
}

Epoller::~Epoller() { kit::not_implemented("5.1", "~Epoller: close both descriptors"); }

bool Epoller::add(int, std::uint32_t, Trigger) noexcept {
    kit::not_implemented("5.1", "Epoller::add: register a descriptor");
}

bool Epoller::modify(int, std::uint32_t, Trigger) noexcept {
    kit::not_implemented("5.1", "Epoller::modify: change its events");
}

bool Epoller::remove(int) noexcept { kit::not_implemented("5.1", "Epoller::remove: unregister it"); }

std::span<const epoll_event> Epoller::wait(std::uint64_t) {
    // Doubles the buffer if the last wait filled it, and does not report its own eventfd.
    kit::not_implemented("5.1", "Epoller::wait: return the events; none after a time-out, a wake or a signal");
}

void Epoller::wake() noexcept { kit::not_implemented("5.1", "Epoller::wake: end a wait, from any thread"); }

}  // namespace fiberscope::lab05
