#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

bool waits_before(const Task& a, const Task& b) { return a.fd != b.fd ? a.fd < b.fd : a.order < b.order; }

void Scheduler::insert_waiting(Task& task) {
    task.order = next_order();
    waiting_.insert(task);
    if (task.deadline != kNever) sleeping_.insert(task);
    try {
        source_->watch(task.fd, task.want);
    } catch (...) {
        waiting_.remove(task);
        if (task.deadline != kNever) sleeping_.remove(task);
        throw;
    }
}

void Scheduler::remove_waiting(Task& task) {
    waiting_.remove(task);
    source_->unwatch(task.fd, task.want);
}

Task* Scheduler::waiter(const Event& event) const {
    Task* task = waiting_.first_of(event.fd);
    while (task != nullptr && task->order < event.order) {
        if (task->want == event.want) return task;
        task = waiting_.next_of(*task);
    }
    return nullptr;
}

bool Scheduler::wake(Task& task, Wake wake, Cause cause) {
    if (task.status() != State::sleeping && task.status() != State::waiting) return false;
    remove(task, wake);
    return make_ready(task, cause);
}

Wake wait_for(int fd, Want want, std::uint64_t limit) {
    Task& self = running_task();
    const std::uint64_t now = limit == kNever ? 0 : kit::now();
    self.fd = fd;
    self.want = want;
    self.deadline = kit::plus(limit, now);
    return yield_as(self, State::waiting);
}

}  // namespace fiberscope::lab04
