// Step 4.8: what a machine does. The contracts are in ../go_scheduler.h; what you are given:
//
//     take_root()                    the first G; null if it has been taken
//     local(index)                   a machine's own queue, `runnable`, and its `lock`
//     SchedulerLock held(sched)      the scheduler's lock; under it: sched.ready(), the global queue, and
//     sched.wake_due()               puts there whose time or event has come
//     sched.resume_on(machine, g)    runs g until it leaves, and writes g.machine; holds no lock. g.last_run() is yours
//     sched.worth_helping(machine)   whether it should steal: not after tasks that were too short to be handed over
//     sched.insert_yielded(g)        inserts one that has left, whatever its state; takes the lock itself
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void GoScheduler::loop(WorkerPool&, Machine&) {
    kit::not_implemented("4.8", "GoScheduler::loop: the root first; then the next G, or park, until none is alive");
}

Task* GoScheduler::next(WorkerPool&, Machine&) {
    kit::not_implemented("4.8", "GoScheduler::next: of its own queue, of the global one, or stolen");
}

void GoScheduler::resume(WorkerPool&, Machine&, Task&) {
    kit::not_implemented("4.8", "GoScheduler::resume: run it; if it has yielded it goes to this machine's own queue");
}

}  // namespace fiberscope::lab04
