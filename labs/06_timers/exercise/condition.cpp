// Step 6.6: libco's condition variable. The contracts are in ../condition.h. Given:
//     Waiter self(*this)       the waiting task, as a local of stand_in_line
//     push, pop, remove        the line
//     manager_.add(limit, f)   an alarm; keep it in self.alarm
//     name_                    the reason for the wait, as a text
//     lab04::park(reason)      suspends the task until it is woken; returns how it was woken
//     lab04::wake(task)        returns false if the task was no longer waiting
#include "labs/06_timers/condition.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

lab04::Wake Condition::stand_in_line(std::uint64_t) {
    kit::not_implemented("6.6", "Condition::stand_in_line: enter the line, set an alarm for the limit, and park");
}

void Condition::time_out(Waiter&) {
    kit::not_implemented("6.6", "Condition::time_out: leave the line and wake, unless a signal came first");
}

bool Condition::wake_first() {
    kit::not_implemented("6.6", "Condition::wake_first: wake the first in line that still waits");
}

std::size_t Condition::wake_all() { kit::not_implemented("6.6", "Condition::wake_all: wake the whole line"); }

}  // namespace fiberscope::lab06
