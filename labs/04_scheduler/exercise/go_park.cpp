// Step 4.8: parking, and calling machines that have parked. The contracts are in ../go_scheduler.h; what you are given:
//
//     SchedulerLock held(sched)          the scheduler's lock, for all that follows but idle()
//     sched.announce_idle(machine)       from now on it can be unparked
//     sched.park_or_poll(held, machine)  parks, or waits for events on behalf of all; lets go of the lock meanwhile
//     sched.cancel_idle(machine)         takes the announcement back
//     sched.idle()                       how many have announced themselves
//     sched.worth_helping(machine)       whether it would steal: if not, what lies in others' queues is no work for it
//     sched.unpark_one()                 one of them is called
//     local(i).runnable.length()         how many stand in the queue of machine i; read without its lock, and relaxed
//     kit::atomic_thread_fence(order)    the fence of the standard library, which a search through all orders sees
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void GoScheduler::push_local(WorkerPool&, Machine&, Task&) {
    kit::not_implemented("4.8",
                         "GoScheduler::push_local: into its own queue; call a parked one if it holds two or more");
}

bool GoScheduler::any_work(WorkerPool&, const Machine&) {
    kit::not_implemented("4.8", "GoScheduler::any_work: in the global queue, in its own, or enough in another's");
}

void GoScheduler::park(WorkerPool&, Machine&) {
    kit::not_implemented("4.8", "GoScheduler::park: announce, look once more, and only then wait");
}

}  // namespace fiberscope::lab04
