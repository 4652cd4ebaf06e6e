// Step 4.7: netco's processors. The contracts are in ../netco.h, ../netco_api.h and ../shared_strategy.h. Given:
//
//     processors(), of(sched), named(index)   the processors; that of a scheduler; the one with this number
//     load(processor)                         the number of its tasks that are alive
//     alive_                                  the tasks of all processors that have not been released, except
//                                             system tasks (task.system): run() does not wait for them
//     sched.unpark_one()                      ends the wait of its thread, if it waits
//     sched.scheduler().is_shared()           whether the threads are running
//     sched.wake_to_queue(queue, task, …)     removes it from its trees, sets how it was woken, enqueues it
//     Cause::spawned, Cause::deadline         the causes for a new task, and for an expired one
//     sched.wake_due()                        calls on_deadline() for expired tasks; makes tasks with events
//                                             ready
//     sched.resume_unlocked(held, …)          runs a task until it yields; releases the lock meanwhile
//     sched.release(task)                     releases a task that has ended
//     sched.wait_for_work(held, machine)      waits until a task of this processor may be able to run
//     keeps(here)                             whether a new task should stay here, because tasks here are short
//     go_from_outside("netco", …)             creates a task on another thread's processors; empty if there are none
//     wake_all()                              makes every processor check for the end; call it without locks
#include "labs/04_scheduler/netco.h"

#include "labs/04_scheduler/netco_api.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Scheduler& Netco::select_scheduler(Scheduler&, int) {
    kit::not_implemented("4.7", "Netco::select_scheduler: return the named processor, or the least loaded one");
}

void Netco::make_new_ready_shared(WorkerPool&, Task&) {
    kit::not_implemented("4.7",
                         "Netco::make_new_ready_shared: count it, make it ready, push it into the buffer being filled");
}

void Netco::on_ready(WorkerPool&, const Task&) {
    kit::not_implemented("4.7", "Netco::on_ready: end the wait of its processor");
}

void Netco::on_deadline(WorkerPool&, Task&) {
    kit::not_implemented("4.7", "Netco::on_deadline: wake it into the processor's queue of expired tasks");
}

void Netco::on_exit(WorkerPool&, Task&) {
    kit::not_implemented("4.7", "Netco::on_exit: keep it in the removed queue until the end of the round");
}

void Netco::work(Machine&) {
    kit::not_implemented("4.7", "Netco::work: run the expired, the new, the active in rounds; then release the dead");
}

}  // namespace fiberscope::lab04

namespace fiberscope::netco_api {

void co_init(unsigned) { kit::not_implemented("4.7", "co_init: install a scheduler with the strategy netco"); }

void co_go(std::function<void()>, std::size_t, int) {
    kit::not_implemented("4.7", "co_go: start a task; the first call creates the processors");
}

void co_pass() { kit::not_implemented("4.7", "co_pass: yield"); }
void co_sleep(std::uint64_t) { kit::not_implemented("4.7", "co_sleep: sleep"); }
bool co_wait_readable(int, std::uint64_t) {
    kit::not_implemented("4.7", "co_wait_readable: wait until it is readable");
}
bool co_wait_writable(int, std::uint64_t) {
    kit::not_implemented("4.7", "co_wait_writable: wait until it is writable");
}
void co_run() { kit::not_implemented("4.7", "co_run: run all tasks; throw if one of them failed"); }

}  // namespace fiberscope::netco_api
