// Step 4.8: parking and unparking machines. The contracts are in ../go_scheduler.h. Given:
//
//     SchedulerLock held(sched)          holds the scheduler's lock, for all functions below except idle()
//     sched.announce_idle(machine)       from now on the machine can be unparked
//     sched.park_or_poll(held, machine)  parks, or waits for events on behalf of all; releases the lock meanwhile
//     sched.cancel_idle(machine)         cancels the announcement
//     sched.idle()                       the number of announced machines
//     sched.worth_helping(machine)       whether it would steal; if not, other machines' queues do not count as work
//     sched.unpark_one()                 unparks one of them
//     local(i).runnable.length()         the length of the queue of machine i; a relaxed load without its lock
//     kit::atomic_thread_fence(order)    as in the standard library, but visible to a search through all orders
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void GoScheduler::push_local(WorkerPool&, Machine&, Task&) {
    kit::not_implemented("4.8",
                         "GoScheduler::push_local: push into the own queue; unpark a machine if it holds two or more");
}

bool GoScheduler::any_work(WorkerPool&, const Machine&) {
    kit::not_implemented("4.8",
                         "GoScheduler::any_work: check the global queue, the own queue, and the others for enough Gs");
}

void GoScheduler::park(WorkerPool&, Machine&) {
    kit::not_implemented("4.8", "GoScheduler::park: announce it, check once more, and only then wait");
}

}  // namespace fiberscope::lab04
