#include "labs/05_epoll_io/mutex.h"

#include <algorithm>
#include <utility>

#include "labs/05_epoll_io/io.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

using trace::LockMode;
using trace::LockOp;

void TaskMutex::lock() KIT_UNCHECKED {  // the loop releases the lock while the task is parked
    lab04::Task& self = lab04::running_task();
    lock_.lock();
    if (holder_ == &self) {
        lock_.unlock();
        kit::refuse(kit::MisuseKind::holds_already, self.core(), name_);
    }
    if (holder_ == nullptr) {
        take(self);
        return lock_.unlock();
    }
    line_.emplace_back(self);
    recorded_.inserted(self.core());
    recorded_.did(LockOp::block, LockMode::mutex, self.core());
    while (holder_ != &self) {
        try {
            lab04::park(name_, lock_);
        } catch (...) {  // its stack is being unwound: the others must not wait for it
            leave(self);
            throw;
        }
        lock_.lock();
    }
    lock_.unlock();
}

bool TaskMutex::try_lock() {
    lab04::Task& self = lab04::running_task();
    const kit::Guard guard(lock_);
    if (holder_ != nullptr) return false;
    take(self);
    return true;
}

void TaskMutex::unlock() {
    lab04::Task& self = lab04::running_task();
    const kit::Guard guard(lock_);
    if (holder_ != &self) kit::refuse(kit::MisuseKind::not_the_holder, self.core(), name_);
    give_back(self);
}

void TaskMutex::take(lab04::Task& task) {
    holder_ = &task;
    recorded_.did(LockOp::acquire, LockMode::mutex, task.core());
}

void TaskMutex::give_back(const lab04::Task& self) {
    holder_ = nullptr;
    recorded_.did(LockOp::release, LockMode::mutex, self.core());
    if (line_.empty()) return;
    const lab04::Handle first = std::move(line_.front());
    line_.pop_front();
    recorded_.removed(first.task().core());
    take(first.task());
    lab04::wake(first);
}

void TaskMutex::leave(const lab04::Task& self) noexcept {
    const kit::Guard guard(lock_);
    if (std::erase_if(line_, [&](const lab04::Handle& one) { return &one.task() == &self; }) > 0) {
        recorded_.removed(self.core());
        recorded_.did(LockOp::timeout, LockMode::mutex, self.core());
    }
    if (holder_ == &self) give_back(self);
}

// ---- the condition variable -----------------------------------------------------------------------------------------

/// Removes the waiter from the queue and reacquires the mutex, however the wait ends.
class TaskCondition::Place {
  public:
    Place(TaskCondition& condition, const lab04::Task& task, std::uint64_t number) noexcept
        : condition_(condition), task_(task), number_(number) {}
    ~Place() {
        const kit::Guard guard(condition_.lock_);
        if (std::erase_if(condition_.line_, [this](const Waiter& one) { return one.number == number_; }) > 0)
            condition_.recorded_.did(LockOp::timeout, LockMode::cond, task_.core());
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

  private:
    TaskCondition& condition_;
    const lab04::Task& task_;
    const std::uint64_t number_;
};

// A notify needs the lock, so it comes either before this task is queued, or after it has yielded.
lab04::Wake TaskCondition::wait(std::unique_lock<TaskMutex>& mutex, std::uint64_t limit) KIT_UNCHECKED {
    const std::uint64_t deadline = limit == kit::kNever ? kit::kNever : deadline_after(limit);
    lab04::Task& self = lab04::running_task();
    if (!mutex.owns_lock()) kit::refuse(kit::MisuseKind::not_the_holder, self.core(), name_);
    lock_.lock();
    const std::uint64_t number = ++last_;
    line_.push_back({lab04::Handle(self), number});
    recorded_.did(LockOp::wait, LockMode::cond, self.core());
    lab04::Wake woken = lab04::Wake::event;
    {
        const Place place(*this, self, number);
        mutex.unlock();
        for (;;) {
            woken = park(kit::time_left(deadline));
            lock_.lock();
            const bool waits =
                std::any_of(line_.begin(), line_.end(), [=](const Waiter& one) { return one.number == number; });
            if (!waits) woken = lab04::Wake::event;
            if (!waits || woken != lab04::Wake::event) break;
        }
        lock_.unlock();
    }
    mutex.lock();
    return woken;
}

lab04::Wake TaskCondition::park(std::uint64_t limit) KIT_UNCHECKED {  // the loop releases the lock
    lab04::Task& self = lab04::running_task();
    if (self.sched->is_shared())
        lab04::machine_here()->handed = &lock_;
    else
        lock_.unlock();
    return lab04::park_for(name_, limit);
}

void TaskCondition::wake_first() {
    const lab04::Handle first = std::move(line_.front().task);
    line_.pop_front();
    lab04::wake(first);
}

// The first waiter consumes the signal, even if something else has woken it and it has not run since. Its state cannot
// be checked here, because it may be running on another machine. So the recorded event names it, and a signal is lost
// only if no task waits.
void TaskCondition::notify_one() {
    const kit::Guard guard(lock_);
    if (line_.empty()) return recorded_.did(LockOp::signal, LockMode::cond);
    recorded_.did(LockOp::acquire, LockMode::cond, line_.front().task.task().core());
    wake_first();
}

void TaskCondition::notify_all() {
    const kit::Guard guard(lock_);
    recorded_.did(LockOp::broadcast, LockMode::cond);
    while (!line_.empty()) wake_first();
}

}  // namespace fiberscope::lab05
