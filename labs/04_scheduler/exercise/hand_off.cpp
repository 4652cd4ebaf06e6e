// Step 4.12 (challenge): hand-off. The contracts are in ../hand_off.h. Used in addition to those of step 4.4:
//
//     turns_                           the number of turns left in this round
//     sched.resume(task)               in run(): resumes a task until any task returns, and inserts that task
//     sched.ready().push(task)         and insert_sleeping, insert_waiting: insert into a set, in any state
//     sched.hand_over(next, left, …)   the last action of leave: runs `next`, and sets this task to `left`
//     Strategy::leave(self, left, …)   the default: returns to the loop, which inserts this task itself
#include "labs/04_scheduler/hand_off.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void HandOff::run(Scheduler&) {
    // A while loop that begins with take_turn(), and calls resume.
    kit::not_implemented("4.12", "HandOff::run: wake the expired, wake the waiters, begin a round; repeat");
}

bool HandOff::take_turn() { kit::not_implemented("4.12", "HandOff::take_turn: take a turn if one is left"); }

void HandOff::insert_leaving(Scheduler&, Task&, State) {
    kit::not_implemented("4.12", "HandOff::insert_leaving: insert the task into the set for the state it will have");
}

void HandOff::leave(Task&, State, std::int64_t, const char*) {
    kit::not_implemented("4.12", "HandOff::leave: take a turn, insert the task, hand over; or return to the loop");
}

}  // namespace fiberscope::lab04
