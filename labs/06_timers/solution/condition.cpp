#include "labs/06_timers/condition.h"

namespace fiberscope::lab06 {

lab04::Wake Condition::stand_in_line(std::uint64_t limit) {
    Waiter self(*this);
    push(self);
    if (limit != kNever) self.alarm = manager_.add(limit, [this, &self] { time_out(self); });
    const lab04::Wake woken = lab04::park(name_);
    return self.timed_out ? lab04::Wake::timeout : woken;
}

void Condition::time_out(Waiter& waiter) {
    if (!remove(waiter)) return;
    waiter.timed_out = lab04::wake(waiter.task);
}

bool Condition::wake_first() {
    while (Waiter* first = pop())
        if (lab04::wake(first->task)) return true;
    return false;
}

std::size_t Condition::wake_all() {
    std::size_t woken = 0;
    while (Waiter* first = pop()) woken += lab04::wake(first->task) ? 1U : 0U;
    return woken;
}

}  // namespace fiberscope::lab06
