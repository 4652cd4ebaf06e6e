// Step 4.2: sleeping tasks. The contracts are in ../scheduler.h and ../parts/task.h. Given:
//
//     sleeping_                        the tree: insert(task), remove(task), contains(task), first(), empty()
//     next_order()                     increasing numbers
//     kit::now()                       ns
//     running_task()                   the calling task
//     Cause::deadline                  the cause for an expired task; the loop of step 4.4 passes it
//                                      to make_ready after remove
//     yield_as(task, State::sleeping)  leaves the processor until task.deadline; returns how the task was woken
#include "labs/04_scheduler/scheduler.h"

#include "labs/kit/report/report.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

bool sleeps_before(const Task&, const Task&) {
    kit::not_implemented("4.2", "sleeps_before: compare by deadline, then by order");
}

void Scheduler::insert_sleeping(Task&) {
    kit::not_implemented("4.2", "Scheduler::insert_sleeping: set its order, then insert it into the sleep tree");
}

Task* Scheduler::expired(std::uint64_t) const {
    kit::not_implemented("4.2", "Scheduler::expired: return the first task, if its deadline has passed");
}

void Scheduler::remove(Task&, Wake) {
    // If it is in the wait tree, call remove_waiting (step 4.3).
    kit::not_implemented("4.2", "Scheduler::remove: remove it from both trees, and set how it was woken");
}

Wake sleep_for(std::uint64_t) {
    // 0 is a yield. If the deadline overflows, it is kNever.
    kit::not_implemented("4.2", "sleep_for: set the deadline, leave the processor, return how it was woken");
}

}  // namespace fiberscope::lab04
