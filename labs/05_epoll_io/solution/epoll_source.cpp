#include "labs/05_epoll_io/epoller.h"

#include <cerrno>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

bool EpollSource::arm(int fd, std::uint32_t events) noexcept {
    Descriptor& descriptor = at(fd);
    if (events == descriptor.armed) return true;
    bool done = events == 0             ? epoller_.remove(fd)
                : descriptor.armed == 0 ? epoller_.add(fd, events)
                                        : epoller_.modify(fd, events);
    // Closed without our knowledge, and its number reused.
    if (!done && events != 0 && last_error() == ENOENT) done = epoller_.add(fd, events);
    descriptor.armed = done ? events : 0;
    return done;
}

void EpollSource::watch(int fd, Want want) {
    Descriptor& descriptor = at(fd);
    ++(want == Want::read ? descriptor.readers : descriptor.writers);
    ++waiting_;
    if (!arm(fd, descriptor.armed | bit(want))) refuse(fd, want);
}

void EpollSource::unwatch(int fd, Want want) {
    Descriptor& descriptor = at(fd);
    --(want == Want::read ? descriptor.readers : descriptor.writers);
    --waiting_;
}

void EpollSource::tell(int fd, std::uint32_t events) {
    if ((events & (EPOLLERR | EPOLLHUP)) != 0) events |= EPOLLIN | EPOLLOUT | EPOLLERR;
    Descriptor& descriptor = at(fd);
    if ((events & EPOLLIN) != 0 && descriptor.readers > 0) due_.push_back({fd, Want::read});
    if ((events & EPOLLOUT) != 0 && descriptor.writers > 0) due_.push_back({fd, Want::write});
    wake_items(descriptor, events);
    if ((events & descriptor.armed & ~wanted(descriptor)) != 0) arm(fd, descriptor.armed & wanted(descriptor));
}

std::span<Event> EpollSource::collect(std::uint64_t until) {
    due_.clear();
    due_.swap(refused_);
    for (const epoll_event& event : epoller_.wait(due_.empty() ? time_until(until) : 0))
        tell(event.data.fd, event.events);
    keep_virtual_time(until);
    return due_;
}

}  // namespace fiberscope::lab05
