// Step 4.17 (challenge): preemption by a signal. The contracts are in ../preemption.h; what you use:
//
//     running()                the task that runs; null where none does
//     is_preemptible(pc)       whether code that may be stopped was running
//     forbidden(task)          how many forbid() of it are not taken back; allocates nothing
//     asked_                   the task that shall give way at its next safe point
//     unblock_signal()         SIGURG can come again
//     stop()                   the running task gives way; returns when it has its turn again
//     running_task()           outside of a handler; and running_task().forbids_preemption(), its count
#include "labs/04_scheduler/beyond/preemption/preemption.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Preemption::on_tick(std::uintptr_t) {
    kit::not_implemented("4.17", "Preemption::on_tick: stop the task, or ask it to give way");
}

void Preemption::forbid() { kit::not_implemented("4.17", "Preemption::forbid: this task must not be stopped"); }

void Preemption::allow() { kit::not_implemented("4.17", "Preemption::allow: it may be stopped again"); }

void Preemption::safe_point() { kit::not_implemented("4.17", "Preemption::safe_point: give way if it was asked to"); }

}  // namespace fiberscope::lab04
