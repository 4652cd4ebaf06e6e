#include "labs/05_epoll_io/epoller.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

Epoller::Epoller() : buffer_(kFirstRoom) {
    epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
    if (epoll_fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot create an epoll descriptor");
    wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake_fd_ < 0 || !add(wake_fd_, EPOLLIN)) {
        const int error = last_error();
        if (wake_fd_ >= 0) system_calls().close(wake_fd_);
        system_calls().close(epoll_fd_);
        throw std::system_error(error, std::generic_category(), "cannot make a descriptor that wakes the poller");
    }
}

Epoller::~Epoller() {
    system_calls().close(wake_fd_);
    system_calls().close(epoll_fd_);
}

bool Epoller::add(int fd, std::uint32_t events, Trigger trigger) noexcept {
    return control(EPOLL_CTL_ADD, fd, events | static_cast<std::uint32_t>(trigger));
}

bool Epoller::modify(int fd, std::uint32_t events, Trigger trigger) noexcept {
    return control(EPOLL_CTL_MOD, fd, events | static_cast<std::uint32_t>(trigger));
}

bool Epoller::remove(int fd) noexcept { return control(EPOLL_CTL_DEL, fd, 0); }

std::span<const epoll_event> Epoller::wait(std::uint64_t timeout) {
    if (full_) buffer_.resize(buffer_.size() * 2);
    const int found = wait_for_events(timeout);
    if (found < 0) {
        if (last_error() == EINTR) return {};
        throw std::system_error(last_error(), std::generic_category(), "cannot wait for events");
    }
    auto count = static_cast<std::size_t>(found);
    full_ = count == buffer_.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (buffer_[i].data.fd != wake_fd_) continue;
        std::uint64_t wakes;
        static_cast<void>(system_calls().read(wake_fd_, &wakes, sizeof wakes));
        buffer_[i] = buffer_[--count];
        break;
    }
    return {buffer_.data(), count};
}

void Epoller::wake() noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(system_calls().write(wake_fd_, &one, sizeof one));
}

}  // namespace fiberscope::lab05
