// Step 4.6: sylar's scheduler. The picture and the rules are in ../README.md, the contracts in ../sylar.h; what you
// use:
//
//     sched.ready()                   the list: find(wanted), pop_first(wanted), with a function from a task to true or
//                                     false
//     task.pinned, machine.index      which machine may run it (kAnyMachine: any), and which one this is
//     SchedulerLock held(sched)       takes the lock until `held` ends
//     sched.wake_due()                those whose time or event has come go into the list
//     sched.resume_unlocked(held, …)  runs a task until it yields, and inserts it; without the lock meanwhile
//     resume_idle(held, machine)      runs the idle coroutine until it leaves or ends; without the lock meanwhile
//     idle_ended(machine)             it has ended
//     yield_idle(sched, held)         in the idle coroutine: back to the scheduler coroutine, until resumed
//     sched.wait_for_work(held, …)    parks this machine, or waits for the first deadline and for events on behalf of
//                                     all
//     sched.unpark_one()              lets a machine go on that waits: any; unpark(index): that one; unpark_all(): all
//     in_the_loop(sched)              the caller is no task: this machine looks into the list itself before it waits
//     machine_here(sched)             which machine calls; null if it is none
#include "labs/04_scheduler/sylar.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Task* Sylar::take(WorkerPool&, const Machine&) {
    kit::not_implemented("4.6",
                         "Sylar::take: the first in the list that this machine may run; tell another of the rest");
}

void Sylar::schedule_tasks(WorkerPool&, Machine&) {
    kit::not_implemented("4.6", "Sylar::schedule_tasks: take a task and run it, or else run the idle coroutine; again");
}

void Sylar::idle(WorkerPool&, Machine&) {
    kit::not_implemented("4.6", "Sylar::idle: until it is time to end, look once more, wait for work, and leave");
}

void Sylar::stop(WorkerPool&) {
    // `stopped_` says so. The lock must be held, and parked machines must learn of it.
    kit::not_implemented("4.6", "Sylar::stop: say that it is to end, and wake the machines that wait");
}

bool Sylar::stopping(WorkerPool&) const {
    kit::not_implemented("4.6", "Sylar::stopping: stop() was called, and no task is alive");
}

void Sylar::on_ready(WorkerPool& sched, const Task&) {
    if (!sched.scheduler().is_shared()) return;
    kit::not_implemented("4.6", "Sylar::on_ready: tell a machine that waits, and may run the task");
}

}  // namespace fiberscope::lab04
