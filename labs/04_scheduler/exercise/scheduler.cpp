// Step 4.1: the scheduler and its ready queue. The contracts are in ../scheduler.h and ../parts/task.h; what you
// are given:
//
//     here()                    the scheduler of this thread, or null; install() makes one
//     task.status()             the state; kit::set_state(task.core(), state, cause) changes it, and records it
//     task.waits_for_descriptor()
//                               of one that is waiting: for a descriptor, or else it is parked
//     ready_                    the queue: push(task), pop(), empty(), size()
//     handle_exit(task)         what to do with one that is dead
//     running_task()            the task that runs here
//     leave(task, state)        it yields, in that state; returns when the task is resumed
#include "labs/04_scheduler/scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Scheduler& Scheduler::of_this_thread() {
    kit::not_implemented("4.1", "Scheduler::of_this_thread: the one that is there, or a new one");
}

bool Scheduler::make_ready(Task&, Cause) {
    kit::not_implemented("4.1",
                         "Scheduler::make_ready: ready in its state, and last in the queue, unless it is already");
}

void Scheduler::insert_by_state(Task&) {
    // ready: into the queue. sleeping: insert_sleeping (step 4.2). waiting for a descriptor: insert_waiting (step 4.3);
    // a parked task waits in no set, or with a deadline in the sleep tree: insert_sleeping. dead: handle_exit.
    kit::not_implemented("4.1", "Scheduler::insert_by_state: into the set that its state names");
}

void yield() { kit::not_implemented("4.1", "yield: leave the processor, ready"); }

}  // namespace fiberscope::lab04
