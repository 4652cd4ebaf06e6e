#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

bool sleeps_before(const Task& a, const Task& b) {
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order;
}

void Scheduler::insert_sleeping(Task& task) {
    task.order = next_order();
    sleeping_.insert(task);
}

Task* Scheduler::expired(std::uint64_t now) const {
    Task* first = sleeping_.first();
    return first != nullptr && first->deadline <= now ? first : nullptr;
}

void Scheduler::remove(Task& task, Wake wake) {
    if (sleeping_.contains(task)) sleeping_.remove(task);
    if (waiting_.contains(task)) remove_waiting(task);
    task.woken = wake;
}

Wake sleep_for(std::uint64_t ns) {
    Task& self = running_task();
    if (ns == 0) {
        yield();
        return Wake::timeout;
    }
    self.deadline = kit::plus(kit::now(), ns);
    return yield_as(self, State::sleeping);
}

}  // namespace fiberscope::lab04
