#include "labs/05_epoll_io/mutex.h"

#include <algorithm>
#include <utility>

#include "labs/05_epoll_io/io.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

void TaskMutex::lock() KIT_UNCHECKED {  // the loop releases the lock while the task is parked
    lab04::Task& self = lab04::running_task();
    lock_.lock();
    if (holder_ == &self) {
        lock_.unlock();
        kit::refuse(kit::MisuseKind::holds_already, self.core(), name_);
    }
    if (holder_ == nullptr) {
        holder_ = &self;
        return lock_.unlock();
    }
    line_.emplace_back(self);
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
    holder_ = &self;
    return true;
}

void TaskMutex::unlock() {
    lab04::Task& self = lab04::running_task();
    const kit::Guard guard(lock_);
    if (holder_ != &self) kit::refuse(kit::MisuseKind::not_the_holder, self.core(), name_);
    hand_on();
}

void TaskMutex::hand_on() {
    holder_ = nullptr;
    if (line_.empty()) return;
    const lab04::Handle first = std::move(line_.front());
    line_.pop_front();
    holder_ = &first.task();
    lab04::wake(first);
}

void TaskMutex::leave(const lab04::Task& self) noexcept {
    const kit::Guard guard(lock_);
    std::erase_if(line_, [&](const lab04::Handle& one) { return &one.task() == &self; });
    if (holder_ == &self) hand_on();
}

// ---- the condition variable -----------------------------------------------------------------------------------------

/// Out of the line and with the mutex again, however the wait ends.
class TaskCondition::Place {
  public:
    Place(TaskCondition& condition, std::uint64_t number) noexcept : condition_(condition), number_(number) {}
    ~Place() {
        const kit::Guard guard(condition_.lock_);
        std::erase_if(condition_.line_, [this](const Waiter& one) { return one.number == number_; });
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

  private:
    TaskCondition& condition_;
    const std::uint64_t number_;
};

// A notify needs the lock, so it comes before this task stands in the line, or after it has yielded.
lab04::Wake TaskCondition::wait(std::unique_lock<TaskMutex>& mutex, std::uint64_t limit) KIT_UNCHECKED {
    const std::uint64_t deadline = limit == kit::kNever ? kit::kNever : deadline_after(limit);
    lock_.lock();
    const std::uint64_t number = ++last_;
    line_.push_back({lab04::Handle(lab04::running_task()), number});
    lab04::Wake woken = lab04::Wake::event;
    {
        const Place place(*this, number);
        mutex.unlock();
        for (;;) {
            const std::uint64_t now = deadline == kit::kNever ? 0 : kit::now();
            woken = park(deadline == kit::kNever ? kit::kNever : deadline - std::min(now, deadline));
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

void TaskCondition::notify_one() {
    const kit::Guard guard(lock_);
    if (!line_.empty()) wake_first();
}

void TaskCondition::notify_all() {
    const kit::Guard guard(lock_);
    while (!line_.empty()) wake_first();
}

}  // namespace fiberscope::lab05
