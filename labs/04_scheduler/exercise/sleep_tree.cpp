// Step 4.2: tasks that sleep. The contracts are in ../scheduler.h and ../parts/task.h; what you are given:
//
//     sleeping_                        the tree: insert(task), remove(task), contains(task), first(), empty()
//     next_order()                     counts up
//     kit::now()                       ns
//     running_task()                   the task that calls
//     Cause::deadline                  why a task is ready again whose deadline has come; the loop of step 4.4 gives it
//                                      to make_ready after remove
//     yield_as(task, State::sleeping)  leaves the processor until task.deadline; returns how the task was woken
#include "labs/04_scheduler/scheduler.h"

#include "labs/kit/report/report.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

bool sleeps_before(const Task&, const Task&) {
    kit::not_implemented("4.2", "sleeps_before: by deadline, and by order where the deadlines are equal");
}

void Scheduler::insert_sleeping(Task&) {
    kit::not_implemented("4.2", "Scheduler::insert_sleeping: its order, then into the sleep tree");
}

Task* Scheduler::expired(std::uint64_t) const {
    kit::not_implemented("4.2", "Scheduler::expired: the first, if its deadline has come");
}

void Scheduler::remove(Task&, Wake) {
    // From the wait tree by remove_waiting (step 4.3), if it is there.
    kit::not_implemented("4.2", "Scheduler::remove: out of both trees, and it is told why");
}

Wake sleep_for(std::uint64_t) {
    // 0 is a yield. A deadline beyond the end of time is kNever.
    kit::not_implemented("4.2", "sleep_for: set the deadline, leave the processor, say how it was woken");
}

}  // namespace fiberscope::lab04
