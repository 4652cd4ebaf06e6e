#include "labs/05_epoll_io/io_manager.h"

#include <unistd.h>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

bool IOManager::add_event(int fd, Want event, Callback callback) {
    EventContext& added = context(fd, event);
    if (added.added) return false;
    if (callback == nullptr) added.task = lab04::Handle(lab04::running_task());
    added.callback = std::move(callback);
    added.added = true;
    ++pending_;
    watch(added, fd, event);
    return true;
}

void IOManager::forget(EventContext& context) {
    unwatch(context);
    context.added = false;
    if (--pending_ == 0) tickle();
}

void IOManager::trigger(EventContext& context) {
    forget(context);
    const Callback callback = std::exchange(context.callback, {});
    const lab04::Handle task = std::exchange(context.task, {});
    if (callback)
        lab04::go(callback, "callback");
    else
        lab04::wake(task);
}

bool IOManager::delete_event(int fd, Want event) {
    EventContext& deleted = context(fd, event);
    if (!deleted.added) return false;
    forget(deleted);
    deleted.callback = {};
    deleted.task = {};
    return true;
}

bool IOManager::cancel_event(int fd, Want event) {
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
    for (;;) {
        std::vector<Callback> begin;
        bool over;
        {
            const std::lock_guard lock(mutex_);
            begin.swap(scheduled_);
            over = stopping_ && pending_ == 0;
        }
        for (Callback& callback : begin) lab04::go(std::move(callback), "scheduled");
        if (over) return;
        lab04::wait_readable(tickle_fd_);
        std::uint64_t tickles;
        static_cast<void>(!system_calls().read(tickle_fd_, &tickles, sizeof tickles));
    }
}

}  // namespace fiberscope::lab05
