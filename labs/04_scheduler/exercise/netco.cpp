// Step 4.7: netco's processors. The contracts are in ../netco.h, ../netco_api.h and ../shared_strategy.h; what you
// are given:
//
//     processors(), of(sched), named(index)   the processors; that of a scheduler; the one that a program names
//     load(processor)                         how many of its tasks are alive
//     alive_                                  the tasks of all processors that have not been released, without those of
//                                             the system (task.system): run() does not wait for them
//     sched.unpark_one()                      its thread ends its wait, if it waits
//     sched.scheduler().is_shared()           there are threads
//     sched.wake_to_queue(queue, task, …)     out of its trees, told why, and ready in a queue of yours
//     Cause::spawned, Cause::deadline         why a new task is ready, and one whose time has come
//     sched.wake_due()                        calls on_deadline() for those whose time has come; fills ready() by
//                                             events
//     sched.resume_unlocked(held, …)          runs one until it yields; the lock is released meanwhile
//     sched.release(task)                     one that has ended is no longer kept
//     sched.wait_for_work(held, machine)      until a task of this processor may run
//     keeps(here)                             whether a new task stays here, because tasks here are short
//     go_from_outside("netco", …)             a task for another thread's processors; an empty Handle if there are none
//     wake_all()                              every processor looks whether it is over; no lock is held
#include "labs/04_scheduler/netco.h"

#include "labs/04_scheduler/netco_api.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Scheduler& Netco::select_scheduler(Scheduler&, int) {
    kit::not_implemented("4.7", "Netco::select_scheduler: the processor that was named, or the least loaded one");
}

void Netco::make_new_ready_shared(WorkerPool&, Task&) {
    kit::not_implemented("4.7", "Netco::make_new_ready_shared: counted, ready, into the buffer that is being filled");
}

void Netco::on_ready(WorkerPool&, const Task&) {
    kit::not_implemented("4.7", "Netco::on_ready: its processor leaves its wait");
}

void Netco::on_deadline(WorkerPool&, Task&) {
    kit::not_implemented("4.7", "Netco::on_deadline: into the processor's queue of the expired");
}

void Netco::on_exit(WorkerPool&, Task&) {
    kit::not_implemented("4.7", "Netco::on_exit: among the removed, until the round is over");
}

void Netco::work(Machine&) {
    kit::not_implemented("4.7", "Netco::work: rounds of the expired, the new, the active; then the dead are released");
}

}  // namespace fiberscope::lab04

namespace fiberscope::netco_api {

void co_init(unsigned) { kit::not_implemented("4.7", "co_init: install a scheduler of the strategy netco"); }

void co_go(std::function<void()>, std::size_t, int) {
    kit::not_implemented("4.7", "co_go: begin a task; the first one makes the processors");
}

void co_pass() { kit::not_implemented("4.7", "co_pass: let the others go first"); }
void co_sleep(std::uint64_t) { kit::not_implemented("4.7", "co_sleep: sleep"); }
bool co_wait_readable(int, std::uint64_t) { kit::not_implemented("4.7", "co_wait_readable: wait for input"); }
bool co_wait_writable(int, std::uint64_t) { kit::not_implemented("4.7", "co_wait_writable: wait for room"); }
void co_run() { kit::not_implemented("4.7", "co_run: run all; throw if one of them failed"); }

}  // namespace fiberscope::netco_api
