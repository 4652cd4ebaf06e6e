// Step 4.17 (challenge): preemption by a signal. The contracts are in ../preemption.h. Used here:
//
//     running()                the running task, or null
//     is_preemptible(pc)       whether preemptible code was running
//     forbidden(task)          its number of forbid() without allow(); allocates nothing
//     asked_                   the task that must yield at its next safe point
//     unblock_signal()         unblocks SIGURG
//     stop()                   yields the running task; returns at its next turn
//     running_task()           the running task, outside of a handler; running_task().forbids_preemption(): its count
#include "labs/04_scheduler/beyond/preemption/preemption.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Preemption::on_tick(std::uintptr_t) {
    kit::not_implemented("4.17", "Preemption::on_tick: stop the task, or request a yield");
}

void Preemption::forbid() { kit::not_implemented("4.17", "Preemption::forbid: forbid stopping this task"); }

void Preemption::allow() { kit::not_implemented("4.17", "Preemption::allow: allow it again"); }

void Preemption::safe_point() { kit::not_implemented("4.17", "Preemption::safe_point: yield if that was requested"); }

}  // namespace fiberscope::lab04
