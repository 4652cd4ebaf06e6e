#include "labs/05_epoll_io/io_manager.h"

#include <unistd.h>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

namespace {
bool belongs_to(const auto& context, const lab04::Task& task) {
    return context.owner && &context.owner.task() == &task;
}
}  // namespace

bool IOManager::add_event(int fd, Want event, Callback callback) {
    const lab04::SchedulerLock held(scheduler_.shared());
    EventContext& added = context(fd, event);
    if (added.added) return false;
    added.owner = callback == nullptr ? lab04::Handle(lab04::running_task()) : lab04::Handle();
    added.awaited = false;
    added.callback = std::move(callback);
    added.added = true;
    ++pending_;
    watch(added, fd, event);
    return true;
}

Wake IOManager::wait_event(int fd, Want event) {
    const lab04::Task& self = lab04::running_task();
    lab04::SchedulerLock held(scheduler_.shared());
    EventContext& waited = context(fd, event);
    if (!belongs_to(waited, self)) return Wake::event;
    const Wake woken = park_owner(waited, held);
    if (belongs_to(waited, self)) drop(waited);
    return woken;
}

void IOManager::forget(EventContext& context) {
    unwatch(context);
    context.added = false;
    if (--pending_ == 0) tickle();
}

void IOManager::drop(EventContext& context) {
    forget(context);
    context.callback = {};
    context.owner = {};
}

void IOManager::trigger(EventContext& context) {
    forget(context);
    if (context.callback) begin(std::exchange(context.callback, {}), "callback");
    wake_owner(context);
    context.owner = {};
}

bool IOManager::delete_event(int fd, Want event) {
    const lab04::SchedulerLock held(scheduler_.shared());
    EventContext& deleted = context(fd, event);
    if (!deleted.added) return false;
    drop(deleted);
    return true;
}

bool IOManager::cancel_event(int fd, Want event) {
    const lab04::SchedulerLock held(scheduler_.shared());
    EventContext& cancelled = context(fd, event);
    if (!cancelled.added) return false;
    trigger(cancelled);
    return true;
}

bool IOManager::cancel_all(int fd) {
    const bool read = cancel_event(fd, Want::read);
    const bool write = cancel_event(fd, Want::write);
    return read || write;
}

void IOManager::schedule(Callback callback) {
    {
        const std::lock_guard lock(mutex_);
        scheduled_.push_back(std::move(callback));
    }
    tickle();
}

void IOManager::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    tickle();
}

void IOManager::tickle() noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(!system_calls().write(tickle_fd_, &one, sizeof one));
}

void IOManager::idle() {
    for (bool over = false; !over;) {
        {
            const lab04::SchedulerLock held(scheduler_.shared());
            const std::lock_guard lock(mutex_);
            for (Callback& callback : std::exchange(scheduled_, {})) begin(std::move(callback), "scheduled");
            for (Callback& callback : timers_.take_expired(kit::now())) begin(std::move(callback), "timer");
            over = stopping_ && pending_ == 0 && timers_.empty();
            idles_ = !over;
        }
        if (over) return;
        lab04::wait_readable(tickle_fd_, until_first_timer());
        std::uint64_t tickles;
        static_cast<void>(!system_calls().read(tickle_fd_, &tickles, sizeof tickles));
    }
}

}  // namespace fiberscope::lab05
