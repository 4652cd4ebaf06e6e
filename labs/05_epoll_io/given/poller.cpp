// Given: the poller's two system calls with recording, and the rest of the event source.
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "traces/record/recorder.h"

namespace fiberscope::lab05 {

bool Epoller::control(int operation, int fd, std::uint32_t events) noexcept {
    if (numbers_ != nullptr && numbers_->defer_epoll_ctl(fd)) return true;
    const bool done = ask_kernel(operation, fd, events);
    if (operation != EPOLL_CTL_ADD) ahead_.note_changed(fd);
    return done;
}

bool Epoller::ask_kernel(int operation, int fd, std::uint32_t events) noexcept {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    ++call_counts().epoll_ctl;
    if (epoll_ctl(epoll_fd_, operation, fd, &event) != 0) return false;
    if (trace::recording() && fd != wake_fd_) {
        const trace::PollPhase phase = operation == EPOLL_CTL_ADD   ? trace::PollPhase::add
                                       : operation == EPOLL_CTL_MOD ? trace::PollPhase::mod
                                                                    : trace::PollPhase::del;
        trace::record(kit::now(), trace::poll_event(phase, trace::kAbsent, trace::kNone, fd));
    }
    return true;
}

namespace {

/// epoll_wait in milliseconds, rounded up: a wait that ends too early would only have to be repeated.
int wait_in_milliseconds(int epoll_fd, std::vector<epoll_event>& buffer, std::uint64_t timeout) noexcept {
    return epoll_wait(epoll_fd, buffer.data(), static_cast<int>(buffer.size()), kit::ms_of(timeout));
}

#ifdef SYS_epoll_pwait2
/// In nanoseconds; -1 with ENOSYS if the kernel is older than 5.11, or emulated.
int wait_in_nanoseconds(int epoll_fd, std::vector<epoll_event>& buffer, std::uint64_t timeout) noexcept {
    const timespec limit = kit::timespec_of(timeout);
    return static_cast<int>(
        syscall(SYS_epoll_pwait2, epoll_fd, buffer.data(), static_cast<int>(buffer.size()), &limit, nullptr, 0));
}
#endif

}  // namespace

// Called with the lock reacquired. Ignores events of descriptors with changes that have not been passed to the kernel.
int Epoller::wait_for_events(std::uint64_t timeout) noexcept {
    const int found = ahead_.found == Ahead::kNothing ? wait_in_kernel(buffer_, timeout) : ahead_.take(buffer_);
    if (numbers_ == nullptr || found <= 0) return found;
    const auto end = std::remove_if(buffer_.begin(), buffer_.begin() + found,
                                    [&](const epoll_event& event) { return !numbers_->is_settled(event.data.fd); });
    return static_cast<int>(end - buffer_.begin());
}

// Also ignores events of descriptors removed or changed in the meantime: the next poll reports those that are still
// true. The same goes for events that do not fit into the buffer.
int Ahead::take(std::vector<epoll_event>& buffer) noexcept {
    const auto looked_at = static_cast<std::size_t>(std::exchange(found, kNothing));
    std::size_t taken = 0;
    for (std::size_t i = 0; i < looked_at && taken < buffer.size(); ++i)
        if (std::ranges::find(removed, events[i].data.fd) == removed.end()) buffer[taken++] = events[i];
    removed.clear();
    begun.store(false);
    return static_cast<int>(taken);
}

namespace {

/// Handles wake-ups among the events found ahead. Not in wait(), which is called with the scheduler's lock.
void take_wakes(Ahead& ahead, int wake_fd) noexcept {
    for (int i = 0; i < ahead.found; ++i) {
        epoll_event& event = ahead.events[static_cast<std::size_t>(i)];
        if (event.data.fd != wake_fd) continue;
        std::uint64_t wakes;
        static_cast<void>(system_calls().read(wake_fd, &wakes, sizeof wakes));
        event = ahead.events[static_cast<std::size_t>(--ahead.found)];
        return;
    }
}

}  // namespace

// Sets `begun` before the system call, so that a thread that removes a descriptor later notes it.
void Epoller::wait_ahead(std::uint64_t timeout) {
    ahead_.events.resize(buffer_.size());
    ahead_.begun.store(true);
    const int error_before = last_error();
    ahead_.found = std::max(wait_in_kernel(ahead_.events, timeout), 0);  // a signal: no events
    take_wakes(ahead_, wake_fd_);
    set_last_error(error_before);
}

int Epoller::wait_in_kernel(std::vector<epoll_event>& events, std::uint64_t timeout) noexcept {
    ++call_counts().epoll_wait;
#ifdef SYS_epoll_pwait2
    static std::atomic<bool> missing{false};
    if (timeout != 0 && timeout != kNever && !missing.load(std::memory_order_relaxed)) {
        const int found = wait_in_nanoseconds(epoll_fd_, events, timeout);
        if (found >= 0 || last_error() != ENOSYS) return found;
        missing.store(true, std::memory_order_relaxed);
    }
#endif
    return wait_in_milliseconds(epoll_fd_, events, timeout);
}

// ---- the source -----------------------------------------------------------------------------------------------------

std::span<Event> EpollSource::wait(std::uint64_t until) {
    const lab04::Scheduler* scheduler = lab04::Scheduler::here();
    const bool shared = scheduler != nullptr && scheduler->is_shared();
    const bool ahead =
        shared && kit::clock_kind() != kit::ClockKind::virtual_;  // the system call is made without the lock
    // A caller that only polls holds the lock already.
    if (!shared || until == 0) return collect_and_wake_closed(until, !ahead);
    if (ahead)
        epoller_.wait_ahead(time_until(until));
    else if (until != kNever)
        kit::idle_until(until);
    if (ahead && timer_ != nullptr) timer_->drain();
    const HeldHere held;
    return collect_and_wake_closed(0, !ahead);
}

std::span<Event> EpollSource::collect_and_wake_closed(std::uint64_t until, bool drains) {
    const std::span<Event> events = collect(until);
    if (drains && timer_ != nullptr) timer_->drain();
    wake_closed();
    return events;
}

std::unique_ptr<lab04::EventSource> EpollSource::another() {
    return std::make_unique<EpollSource>(timer_ != nullptr ? TimeBy::descriptor : TimeBy::timeout);
}

void EpollSource::look_ahead() {
    epoller_.wait_ahead(0);
    if (timer_ != nullptr) timer_->drain();
}

lab04::EventSource::Misses EpollSource::misses() const noexcept {
    return kit::clock_kind() == kit::ClockKind::virtual_ ? Misses::all_tasks : Misses::nothing;
}

void EpollSource::refuse(int fd, Want want) {
    refused_.push_back({fd, want});
    const lab04::Scheduler* scheduler = lab04::Scheduler::here();
    if (scheduler != nullptr && scheduler->is_shared()) wake();  // another machine may have begun to wait
}

EpollSource* EpollSource::here() noexcept {
    lab04::Scheduler* scheduler = lab04::Scheduler::here();
    if (scheduler == nullptr) return nullptr;
    lab04::EventSource& source = scheduler->source();
    return source.kind() == &kKind ? static_cast<EpollSource*>(&source) : nullptr;
}

EpollSource::Descriptor& EpollSource::at(int fd) {
    const auto index = static_cast<std::size_t>(fd);
    if (index >= numbers_.all.size()) {
        if (fd < 0) return none_;
        numbers_.all.resize(std::max(index + 1, numbers_.all.size() * 2));
    }
    Descriptor& descriptor = numbers_.all[index];
    if (descriptor.armed == 0 && wanted(descriptor) == 0) descriptor.generation = watched_generation(fd);
    return descriptor;
}

std::uint32_t EpollSource::wanted(const Descriptor& descriptor) noexcept {
    std::uint32_t events =
        (descriptor.readers > 0 ? bit(Want::read) : 0U) | (descriptor.writers > 0 ? bit(Want::write) : 0U);
    for (const PollItem* item = descriptor.items; item != nullptr; item = item->next) events |= item->events;
    return events;
}

std::uint64_t EpollSource::time_until(std::uint64_t until) noexcept {
    if (until == 0 || kit::clock_kind() == kit::ClockKind::virtual_) return 0;
    if (timer_ != nullptr) {
        timer_->set(until);
        return kNever;
    }
    return kit::time_left(until);
}

void EpollSource::keep_virtual_time(std::uint64_t until) {
    if (kit::clock_kind() != kit::ClockKind::virtual_) return;
    std::sort(due_.begin(), due_.end(),
              [](const Event& a, const Event& b) { return a.fd != b.fd ? a.fd < b.fd : a.want < b.want; });
    lab04::Scheduler* scheduler = lab04::Scheduler::here();
    const bool items_woken = scheduler != nullptr && !scheduler->ready().empty();
    if (due_.empty() && !items_woken && until != kNever) kit::idle_until(until);
}

bool EpollSource::expects_any() const {
    if (kit::clock_kind() != kit::ClockKind::virtual_) return waiting_ > 0;
    if (!refused_.empty()) return true;
    std::vector<pollfd> looked;
    for (std::size_t fd = 0; fd < numbers_.all.size(); ++fd) {
        const std::uint32_t events = wanted(numbers_.all[fd]);
        static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT);
        if (events != 0) looked.push_back({static_cast<int>(fd), static_cast<short>(events), 0});
    }
    return system_calls().poll(looked.data(), looked.size(), 0) > 0;
}

void EpollSource::watch(PollItem& item) {
    const HeldHere held;
    watch_held(item);
}

void EpollSource::unwatch(PollItem& item) noexcept {
    const HeldHere held;
    unwatch_held(item);
}

bool EpollSource::watch_held(PollItem& item) {
    forget_if_other(item.fd);
    Descriptor& descriptor = at(item.fd);
    item.closed = item.came = false;
    item.next = descriptor.items;
    item.before = nullptr;
    if (item.next != nullptr) item.next->before = &item;
    descriptor.items = &item;
    ++waiting_;
    ++other_listeners_;
    return arm(item.fd, descriptor.armed | item.events);
}

void EpollSource::unwatch_held(PollItem& item) noexcept {
    Descriptor& descriptor = at(item.fd);
    (item.before == nullptr ? descriptor.items : item.before->next) = item.next;
    if (item.next != nullptr) item.next->before = item.before;
    --waiting_;
    --other_listeners_;
    arm(item.fd, descriptor.armed & wanted(descriptor));
}

void fire_items(WatchedNumber& descriptor, std::uint32_t events, lab04::Cause cause) KIT_UNCHECKED {
    for (PollItem* item = descriptor.items; item != nullptr;) {
        PollItem& one = *std::exchange(item, item->next);
        if ((one.events & events) == 0) continue;
        one.came = true;
        if (one.fired != nullptr)
            one.fired(one, cause);
        else
            one.task->sched->shared().wake_and_tell(*one.task, Wake::event, cause);
    }
}

void EpollSource::wake_items(Descriptor& descriptor, std::uint32_t events) {
    for (const PollItem* item = descriptor.items; item != nullptr; item = item->next)
        if ((item->events & events) != 0) tells_other();
    fire_items(descriptor, events, lab04::Cause::event);
}

void EpollSource::forget(int fd) {
    announce_close(fd, this);
    const HeldHere held;
    forget_held(fd);
}

int EpollSource::close(int fd) {
    announce_close(fd, this);
    if (fd >= 0 && numbers_.loop != nullptr) return close_behind_lock(fd, *numbers_.loop);
    const HeldHere held;
    forget_held(fd);
    return system_calls().close(fd);
}

void EpollSource::forget_held(int fd) {
    if (fd < 0 || static_cast<std::size_t>(fd) >= numbers_.all.size()) return;
    Descriptor& descriptor = numbers_.all[static_cast<std::size_t>(fd)];
    ++descriptor.closings;
    descriptor.generation = generation(fd);
    descriptor.drained = false;
    const bool is_there = descriptor.armed != 0 || descriptor.told != 0 || descriptor.is_being_told;
    descriptor.armed = 0;
    descriptor.is_known = numbers_.loop == nullptr || !is_there;
    if (is_there) epoller_.remove(fd);
    for (PollItem* item = descriptor.items; item != nullptr; item = item->next) item->closed = true;
    fire_items(descriptor, ~0U, lab04::Cause::signal);
    if (descriptor.readers > 0 || descriptor.writers > 0) wake_waiters(fd);
}

void EpollSource::wake_waiters(int fd) KIT_UNCHECKED {
    lab04::Scheduler* scheduler = lab04::Scheduler::here();
    if (scheduler == nullptr) return;  // its tasks are already gone
    for (const Want want : {Want::read, Want::write})
        while (Task* task = scheduler->waiter({fd, want, kNever}))
            scheduler->shared().wake_and_tell(*task, Wake::event, lab04::Cause::signal);
}

std::uint32_t EpollSource::closings(int fd) {
    const HeldHere held;
    forget_if_other(fd);
    return at(fd).closings;
}

bool EpollSource::drained(int fd) const noexcept {
    const HeldHere held;
    const auto index = static_cast<std::size_t>(fd);
    return index < numbers_.all.size() && numbers_.all[index].drained;
}

void EpollSource::set_drained(int fd, bool drained) {
    const HeldHere held;
    at(fd).drained = drained;
}

std::size_t EpollSource::registered() const {
    const HeldHere held;
    return static_cast<std::size_t>(
        std::count_if(numbers_.all.begin(), numbers_.all.end(), [](const Descriptor& d) { return d.armed != 0; }));
}

}  // namespace fiberscope::lab05
