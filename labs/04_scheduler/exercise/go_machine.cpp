// Step 4.8: the loop of a machine. The contracts are in ../go_scheduler.h. Given:
//
//     take_root()                    the first G; null if it has already been taken
//     local(index)                   a machine's own queue, `runnable`, and its `lock`
//     SchedulerLock held(sched)      holds the scheduler's lock, for sched.ready(), the global queue, and
//     sched.wake_due()               wakes expired Gs and Gs with events into the global queue
//     sched.resume_on(machine, g)    runs g until it leaves, and sets g.machine; without locks. You set g.last_run()
//     sched.worth_helping(machine)   whether it should steal: not after tasks that were too short to be worth it
//     sched.insert_yielded(g)        inserts a G that has left, in any state; acquires the lock itself
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void GoScheduler::loop(WorkerPool&, Machine&) {
    kit::not_implemented("4.8", "GoScheduler::loop: run the root first; then the next G, or park, until no G is alive");
}

Task* GoScheduler::next(WorkerPool&, Machine&) {
    kit::not_implemented("4.8", "GoScheduler::next: take a G from the own queue, from the global queue, or steal one");
}

void GoScheduler::resume(WorkerPool&, Machine&, Task&) {
    kit::not_implemented("4.8",
                         "GoScheduler::resume: run the G; if it has yielded, enqueue it in this machine's own queue");
}

}  // namespace fiberscope::lab04
