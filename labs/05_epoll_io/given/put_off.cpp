// Given: no lock is held over a system call. While several machines run, what the poller is to be told is decided with the
// scheduler's lock, and the kernel is told behind it: by the thread that has decided, as soon as it has released the
// lock. Of one descriptor one thread at a time tells; another that comes leaves its decision, and the first finds it.
#include <cerrno>
#include <thread>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

void EpollSource::shared_by(lab04::SharedLoop* loop) {
    const bool real_time = kit::clock_kind() != kit::ClockKind::virtual_;
    loop_ = real_time ? loop : nullptr;
    for (Descriptor& descriptor : descriptors_) {
        descriptor.told = loop_ != nullptr ? descriptor.armed : 0;
        descriptor.is_known = true;
    }
}

bool EpollSource::put_off(int fd) noexcept KIT_UNCHECKED {  // who arms a descriptor holds the lock
    if (loop_ == nullptr || fd < 0) return false;
    put_off_.push_back(fd);
    loop_->call_source();
    return true;
}

bool EpollSource::is_settled(const Descriptor& descriptor) noexcept {
    return descriptor.is_known && descriptor.told == descriptor.armed;
}

bool EpollSource::is_settled(int fd) const noexcept {
    const auto index = static_cast<std::size_t>(fd);
    if (loop_ == nullptr || index >= descriptors_.size()) return true;
    const Descriptor& descriptor = descriptors_[index];
    return is_settled(descriptor) && !descriptor.is_being_told && descriptor.closers == 0;
}

void EpollSource::unlocked(lab04::SharedLoop& loop) {
    const int error_before = last_error();
    {
        lab04::Held held(loop);
        while (!put_off_.empty()) {
            const int fd = put_off_.back();
            put_off_.pop_back();
            if (!at(fd).is_being_told) tell_kernel(fd, held);
        }
    }
    set_last_error(error_before);
}

// A descriptor that is being closed is only taken out: who begins to wait for it now is woken when it is closed.
void EpollSource::tell_kernel(int fd, lab04::Held& held) KIT_UNCHECKED {
    const auto index = static_cast<std::size_t>(fd);
    descriptors_[index].is_being_told = true;
    for (;;) {
        Descriptor& descriptor = descriptors_[index];
        const std::uint32_t events = descriptor.closers > 0 ? 0 : descriptor.armed;
        if (descriptor.is_known && descriptor.told == events) break;
        const bool is_there = descriptor.is_known && descriptor.told != 0;
        descriptor.is_known = true;
        held.unlock();
        bool done = epoller_.ask_kernel(events == 0 ? EPOLL_CTL_DEL
                                        : is_there  ? EPOLL_CTL_MOD
                                                    : EPOLL_CTL_ADD,
                                        fd, events);
        if (!done && events != 0 && last_error() == (is_there ? ENOENT : EEXIST))
            done = epoller_.ask_kernel(is_there ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, events);
        held.lock();
        note_told(fd, events, done);
    }
    descriptors_[index].is_being_told = false;
}

// What epoll refuses is always ready, or wrong, and its call finds that: it need not wait.
void EpollSource::note_told(int fd, std::uint32_t events, bool done) {
    epoller_.note_changed(fd);
    Descriptor& descriptor = at(fd);
    descriptor.told = done ? events : 0;
    if (done || events == 0 || descriptor.armed != events || !descriptor.is_known) return;
    descriptor.armed = 0;
    if (descriptor.readers > 0) refuse(fd, Want::read);
    if (descriptor.writers > 0) refuse(fd, Want::write);
    wake_items(descriptor, ~0U);
}

// First it is taken out, so that the kernel tells no more of it even if it has other names (dup). Then it is closed.
int EpollSource::close_behind_lock(int fd, lab04::SharedLoop& loop) {
    lab04::Held held(loop);
    forget_held(fd);
    const std::uint32_t closed = watched_generation(fd);
    ++at(fd).closers;
    held.unlock();
    for (bool is_out = false; !is_out;) {
        held.lock();
        const Descriptor& descriptor = at(fd);
        is_out = !descriptor.is_being_told && descriptor.is_known && descriptor.told == 0;
        held.unlock();
        if (!is_out) std::this_thread::yield();
    }
    const int result = system_calls().close(fd);
    const int error = last_error();
    held.lock();
    end_closing(fd, closed);
    held.unlock();
    set_last_error(error);
    return result;
}

// Who has begun to wait meanwhile asks again, and finds the number closed. Or it is another descriptor's already, which
// this program may not have seen being made: then the task waits once more.
void EpollSource::end_closing(int fd, std::uint32_t generation_of_closed) {
    Descriptor& descriptor = at(fd);
    --descriptor.closers;
    if (generation(fd) == generation_of_closed) {
        wake_items(descriptor, ~0U);
        if (descriptor.readers > 0 || descriptor.writers > 0) wake_waiters(fd);
    }
    if (!is_settled(descriptor)) static_cast<void>(put_off(fd));
}

}  // namespace fiberscope::lab05
