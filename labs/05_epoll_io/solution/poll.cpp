#include <cerrno>
#include <memory>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

/// Watches the items of these descriptors in a scope, however the wait ends.
class Watched {
  public:
    Watched(EpollSource& source, const pollfd* fds, nfds_t count)
        : source_(source), many_(count > kFew || locals_move() ? std::make_unique<PollItem[]>(count) : nullptr) {
        for (const pollfd* one = fds; one != fds + count; ++one) {
            if (one->fd < 0) continue;
            PollItem& item = items()[count_++];
            // poll(2) reports errors even if no events are requested; 0 would mean no registration.
            item = {one->fd, (static_cast<std::uint32_t>(one->events) & kKnown) | EPOLLERR, &lab04::running_task()};
            source_.watch(item);
        }
    }
    ~Watched() {
        for (std::size_t i = 0; i < count_; ++i) source_.unwatch(items()[i]);
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    std::span<const PollItem> all() const noexcept { return {many_ != nullptr ? many_.get() : few_, count_}; }

  private:
    static constexpr nfds_t kFew = 2;
    static constexpr std::uint32_t kKnown = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP;

    PollItem* items() noexcept { return many_ != nullptr ? many_.get() : few_; }

    EpollSource& source_;
    PollItem few_[kFew];
    std::unique_ptr<PollItem[]> many_;
    std::size_t count_ = 0;
};

int wait_for_one_of(pollfd* fds, nfds_t count, std::uint64_t deadline, int& closed) {
    EpollSource* source = EpollSource::here();
    if (source == nullptr) return ENOSYS;
    const Watched watched(*source, fds, count);
    const int ended = wait_until_any(watched.all(), deadline);
    closed = tell_closed(watched.all(), fds);
    return ended;
}

}  // namespace

int io::poll(pollfd* fds, nfds_t count, int timeout) {
    int ready = system_calls().poll(fds, count, 0);
    if (timeout == 0) return ready;
    const std::uint64_t deadline = timeout < 0 ? kNever : deadline_after(kit::ns_of(timeout, kit::kMillisecond));
    while (ready == 0) {
        int closed = 0;
        const int ended = wait_for_one_of(fds, count, deadline, closed);
        if (closed > 0) return closed;
        if (ended != 0 && ended != ETIMEDOUT) {
            set_last_error(ended);
            return -1;
        }
        ready = system_calls().poll(fds, count, 0);
        if (ended == ETIMEDOUT) break;
    }
    return ready;
}

}  // namespace fiberscope::lab05
