// Given: no lock is held during a system call. With several machines, a change of registrations is decided with the
// scheduler's lock, and the thread that decided passes it to the kernel after releasing the lock. For each descriptor
// only one thread does so at a time; another thread leaves its change for the first one to find.
#include <cerrno>
#include <thread>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

void EpollSource::shared_by(lab04::WorkerPool* loop) {
    const bool real_time = kit::clock_kind() != kit::ClockKind::virtual_;
    numbers_.loop = real_time ? loop : nullptr;
    for (Descriptor& descriptor : numbers_.all) {
        descriptor.told = numbers_.loop != nullptr ? descriptor.armed : 0;
        descriptor.is_known = true;
    }
}

bool WatchedNumbers::defer_epoll_ctl(int fd) noexcept KIT_UNCHECKED {  // the lock is held
    if (loop == nullptr || fd < 0) return false;
    changed.push_back(fd);
    loop->call_source();
    return true;
}

void EpollSource::unlocked(lab04::WorkerPool& loop) {
    const int error_before = last_error();
    {
        lab04::SchedulerLock held(loop);
        while (!numbers_.changed.empty()) {
            const int fd = numbers_.changed.back();
            numbers_.changed.pop_back();
            if (!at(fd).is_being_told) tell_kernel(fd, held);
        }
    }
    set_last_error(error_before);
}

// A descriptor that is being closed is only unregistered: a task that begins to wait now is woken by the close.
void EpollSource::tell_kernel(int fd, lab04::SchedulerLock& held) KIT_UNCHECKED {
    const auto index = static_cast<std::size_t>(fd);
    numbers_.all[index].is_being_told = true;
    for (;;) {
        Descriptor& descriptor = numbers_.all[index];
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
    numbers_.all[index].is_being_told = false;
}

// A descriptor that epoll refuses is always ready or invalid, which its call will find: it need not wait.
void EpollSource::note_told(int fd, std::uint32_t events, bool done) {
    epoller_.ahead_.note_changed(fd);
    Descriptor& descriptor = numbers_.all[static_cast<std::size_t>(fd)];
    descriptor.told = done ? events : 0;
    if (done || events == 0 || descriptor.armed != events || !descriptor.is_known) return;
    descriptor.armed = 0;
    if (descriptor.readers > 0) refuse(fd, Want::read);
    if (descriptor.writers > 0) refuse(fd, Want::write);
    fire_items(descriptor, ~0U, lab04::Cause::signal);
}

// First unregisters it, so that the kernel reports no more events even if it has copies (dup). Then closes it. A task
// that has begun to wait in the meantime checks again, and finds the number closed. Or the number has already been
// reused, perhaps without this program's knowledge: then the task waits again.
int EpollSource::close_behind_lock(int fd, lab04::WorkerPool& loop) {
    lab04::SchedulerLock held(loop);
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
    Descriptor& descriptor = numbers_.all[static_cast<std::size_t>(fd)];
    --descriptor.closers;
    if (generation(fd) == closed) {
        fire_items(descriptor, ~0U, lab04::Cause::signal);
        if (descriptor.readers > 0 || descriptor.writers > 0) wake_waiters(fd);
    }
    if (!descriptor.is_settled()) static_cast<void>(numbers_.defer_epoll_ctl(fd));
    held.unlock();
    set_last_error(error);
    return result;
}

}  // namespace fiberscope::lab05
