// Step 4.6: sylar's scheduler. The picture and the rules are in ../README.md, the contracts in ../sylar.h. Used here:
//
//     sched.ready()                   the list: find(wanted), pop_first(wanted), with a predicate for tasks
//     task.pinned, machine.index      which machine may run it (kAnyMachine: any), and this machine
//     SchedulerLock held(sched)       holds the lock for the lifetime of `held`
//     sched.wake_due()                wakes expired tasks and tasks with events into the list
//     sched.resume_unlocked(held, …)  runs a task until it yields, and inserts it; releases the lock meanwhile
//     resume_idle(held, machine)      runs the idle coroutine until it yields or ends; releases the lock meanwhile
//     idle_ended(machine)             whether the idle coroutine has ended
//     yield_idle(sched, held)         in the idle coroutine: yields to the scheduler coroutine, until resumed
//     sched.wait_for_work(held, …)    parks this machine, or waits for the first deadline and for events on behalf of
//                                     all
//     sched.unpark_one()              unparks any waiting machine; unpark(index): that one; unpark_all(): all
//     in_the_loop(sched)              the caller is not a task: this machine checks the list itself before it waits
//     machine_here(sched)             the calling machine, or null
#include "labs/04_scheduler/sylar.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Task* Sylar::take(WorkerPool&, const Machine&) {
    kit::not_implemented("4.6",
                         "Sylar::take: take the first task that this machine may run; unpark another for the rest");
}

void Sylar::schedule_tasks(WorkerPool&, Machine&) {
    kit::not_implemented("4.6",
                         "Sylar::schedule_tasks: take a task and run it, or else run the idle coroutine; repeat");
}

void Sylar::idle(WorkerPool&, Machine&) {
    kit::not_implemented("4.6", "Sylar::idle: until it is time to end, check once more, wait for work, and yield");
}

void Sylar::stop(WorkerPool&) {
    // Set `stopped_` with the lock held, and unpark the parked machines.
    kit::not_implemented("4.6", "Sylar::stop: request the end, and unpark the waiting machines");
}

bool Sylar::stopping(WorkerPool&) const {
    kit::not_implemented("4.6", "Sylar::stopping: whether stop() was called and no task is alive");
}

void Sylar::on_ready(WorkerPool& sched, const Task&) {
    if (!sched.scheduler().is_shared()) return;
    kit::not_implemented("4.6", "Sylar::on_ready: unpark a waiting machine that may run the task");
}

}  // namespace fiberscope::lab04
