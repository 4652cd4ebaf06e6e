#include "labs/04_scheduler/scheduler.h"

namespace fiberscope::lab04 {

Scheduler& Scheduler::of_this_thread() {
    Scheduler* there = here();
    return there != nullptr ? *there : install();
}

bool Scheduler::make_ready(Task& task, Cause cause) {
    const State now = task.status();
    if (now == State::ready || now == State::running || now == State::normal || now == State::dead) return false;
    kit::set_state(task.core(), State::ready, cause);
    ready_.push(task);
    return true;
}

void Scheduler::insert_by_state(Task& task) {
    if (task.status() == State::ready) [[likely]]
        return ready_.push(task);
    switch (task.status()) {
    case State::sleeping: return insert_sleeping(task);
    case State::waiting:
        if (task.waits_for_descriptor())
            insert_waiting(task);
        else if (task.deadline != kNever)
            insert_sleeping(task);
        return;  // a task parked without a limit is in no set: another task will wake it
    case State::dead: return handle_exit(task);
    default: return;
    }
}

void yield() { leave(running_task(), State::ready); }

}  // namespace fiberscope::lab04
