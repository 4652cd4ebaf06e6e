// Step 4.1: the scheduler and its ready queue. The contracts are in ../scheduler.h and ../parts/task.h. Given:
//
//     here()                    the scheduler of this thread, or null; install() creates one
//     task.status()             the state; kit::set_state(task.core(), state, cause) sets and records it
//     task.waits_for_descriptor()
//                               for a waiting task: whether it waits for a descriptor, or is parked
//     ready_                    the queue: push(task), pop(), empty(), size()
//     handle_exit(task)         handles a dead task
//     running_task()            the running task
//     leave(task, state)        yields in that state; returns when the task is resumed
#include "labs/04_scheduler/scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Scheduler& Scheduler::of_this_thread() {
    kit::not_implemented("4.1", "Scheduler::of_this_thread: return the existing one, or a new one");
}

bool Scheduler::make_ready(Task&, Cause) {
    kit::not_implemented(
        "4.1", "Scheduler::make_ready: set the state to ready and append it to the queue, unless it is ready already");
}

void Scheduler::insert_by_state(Task&) {
    // ready: the queue. sleeping: insert_sleeping (step 4.2). waiting for a descriptor: insert_waiting (step 4.3).
    // parked: no set, or with a deadline the sleep tree: insert_sleeping. dead: handle_exit.
    kit::not_implemented("4.1", "Scheduler::insert_by_state: insert it into the set for its state");
}

void yield() { kit::not_implemented("4.1", "yield: leave the processor in state ready"); }

}  // namespace fiberscope::lab04
