// Step 6.6: libco's condition variable. The contracts are in ../condition.h; what you are given:
//
//     Waiter self(*this)       the one that waits; lies on the stack of stand_in_line
//     push, pop, remove        the line
//     manager_.add(limit, f)   an alarm; keep it in self.alarm
//     name_                    what is waited for, in words
//     lab04::park(words)       leaves the processor until the task is woken; says how it was woken
//     lab04::wake(task)        false if it did not wait any more
#include "labs/06_timers/condition.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

lab04::Wake Condition::stand_in_line(std::uint64_t) {
    kit::not_implemented("6.6", "Condition::stand_in_line: into the line, an alarm for the limit, and park");
}

void Condition::time_out(Waiter&) {
    kit::not_implemented("6.6", "Condition::time_out: out of the line and woken, unless a signal was faster");
}

bool Condition::wake_first() {
    kit::not_implemented("6.6", "Condition::wake_first: the first of the line that can still be woken");
}

std::size_t Condition::wake_all() { kit::not_implemented("6.6", "Condition::wake_all: all of the line"); }

}  // namespace fiberscope::lab06
