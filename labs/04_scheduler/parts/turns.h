// Given: how a machine runs a task. Inline, into the loop: a processor predicts where a function returns by the calls
// before it, and a switch lies between. A return behind a switch is predicted wrong, so none is left there.
#pragma once

#include <utility>

#include "labs/04_scheduler/machines.h"

namespace fiberscope::lab04 {

[[gnu::always_inline]] inline void WorkerPool::resume_on(Machine& machine, Task& task) {
    machine.running = &task;
    task.started = true;
    task.machine = static_cast<std::uint16_t>(machine.index);
    kit::Machines::pace(kit::Act::resume, &task.core());
    machine.throttle.begin_turn();
    sched_.backend().resume(task.core());
    machine.running = nullptr;
    machine.throttle.end_turn();
    kit::choice(kit::Act::yielded, &task.core());
}

// A lock that a task took and handed on is released when the task can be found where it waits. It may be the
// scheduler's own, which is held already then.
[[gnu::always_inline]] inline void WorkerPool::take_after_yield(SchedulerLock& held, kit::Lock* handed) KIT_UNCHECKED {
    if (handed == &lock_)
        held.adopt();
    else
        held.lock();
}

[[gnu::always_inline]] inline void WorkerPool::resume_unlocked(SchedulerLock& held, Machine& machine,
                                                               Task& task) KIT_UNCHECKED {
    ++running_;
    held.unlock();
    resume_on(machine, task);
    kit::Lock* const handed = std::exchange(machine.handed, nullptr);
    take_after_yield(held, handed);
    --running_;
    insert_shared(task);
    if (handed != nullptr && handed != &lock_) handed->unlock();
    if (!remote_joiners_.empty()) [[unlikely]]
        wake_remote_joiners(held);
    if (running_ != 0 && machine.throttle.not_before() != 0) step_aside(held, machine);
}

}  // namespace fiberscope::lab04
