// Step 4.12 (challenge): hand-off. The contracts are in ../hand_off.h; what you use besides what step 4.4 uses:
//
//     turns_                           how many turns this round has left
//     sched.resume(task)               in run(): lets a task run, until any task comes back; inserts that one
//     sched.ready().push(task)         and insert_sleeping, insert_waiting: into a set, whatever its state
//     sched.hand_over(next, left, …)   the last thing that leave does: `next` runs, and this task is `left`
//     Strategy::leave(self, left, …)   the other way: to the loop, which inserts this task itself
#include "labs/04_scheduler/hand_off.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void HandOff::run(Scheduler&) {
    // A while loop that begins with take_turn(), and calls resume.
    kit::not_implemented("4.12", "HandOff::run: wake the expired, wake the waiters, begin a round; again");
}

bool HandOff::take_turn() { kit::not_implemented("4.12", "HandOff::take_turn: is there one left?"); }

void HandOff::insert_leaving(Scheduler&, Task&, State) {
    kit::not_implemented("4.12", "HandOff::insert_leaving: the set of one that will be ready, sleep or wait");
}

void HandOff::leave(Task&, State, std::int64_t, const char*) {
    kit::not_implemented("4.12", "HandOff::leave: take a turn, into its set, hand over; or to the loop");
}

}  // namespace fiberscope::lab04
