// Given: how a loop of one thread runs a task. strategy.h includes this.
#pragma once

#include "labs/04_scheduler/parts/scheduler_parts.h"
#include "labs/04_scheduler/scheduler.h"

namespace fiberscope::lab04 {

// Inline, into the loop: see turns.h. Even odds for a bound task: a compiler would put what follows for it far away.
inline void Scheduler::resume(Task& task) {
    const bool bound = __builtin_expect_with_probability(task.bound, true, 0.5);
    if (bound && &task.sched->parts_->own != machine_here()) require_own_thread(task);
    parts_->own.running = &task;
    task.started = true;
    parts_->prefetcher.before_resume(task, ready_);
    backend_->resume(task.core());
    insert_by_state(*parts_->own.running);
}

}  // namespace fiberscope::lab04
