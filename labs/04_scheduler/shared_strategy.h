// Steps 4.6 to 4.8: the decisions of a strategy of several machines, each with a default; and how a machine runs a
// task.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

/// A strategy whose tasks run on several machines.
class SharedStrategy : public Strategy {
  public:
    /// As Strategy::make_new_ready, with the lock held; by default appends the task to the ready queue.
    virtual void make_new_ready_shared(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// Called when a task has become ready, for which a parked machine may be needed.
    virtual void on_ready(WorkerPool& sched, const Task& task) KIT_REQUIRES(sched.lock());
    /// Wakes a task of the sleep tree whose deadline has passed; by default into the ready queue.
    virtual void on_deadline(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// Called when a task has ended and is in no set; by default releases it immediately.
    virtual void on_exit(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());

    /// Whether there is a task that `machine` should run; called while it looks around. False by default.
    virtual bool has_work(WorkerPool& sched, const Machine& machine) KIT_REQUIRES(sched.lock());

    /// Given, for an explorer: describes the task that machine `machine` could run now if it were awake; empty if none.
    virtual std::string work_for(WorkerPool& sched, unsigned machine);

    /// Whether on_ready() can be skipped for unpinned tasks while a machine looks around, since it would unpark none.
    bool leaves_all_to_lookers() const noexcept { return leaves_all_to_lookers_; }

    void make_new_ready(Scheduler& scheduler, Task& task) final;
    /// Makes the scheduler visible to go_from_outside() until on_detach().
    void on_attach(Scheduler& scheduler) override;
    void on_detach(Scheduler& scheduler) override;

  protected:
    bool leaves_all_to_lookers_ = false;
};

/// Creates a task from a thread without a scheduler, for the scheduler of this strategy that was created last; its
/// machines run it, now or at their next run. Empty if there is no such scheduler.
Handle go_from_outside(std::string_view strategy, Body body, Attributes attributes = {}, TaskOptions options = {});

// ---- how a machine runs a task --------------------------------------------------------------------------------------

// Inlined into the loop: the processor predicts return addresses from the preceding calls, and a switch breaks the
// prediction. A return after a switch would be mispredicted, so there is none.

[[gnu::always_inline]] inline void WorkerPool::resume_on(Machine& machine, Task& task) {
    machine.running = &task;
    task.started = true;
    task.machine = static_cast<std::uint16_t>(machine.index);
    kit::Machines::pace(kit::Act::resume, &task.core());
    machine.throttle.begin_turn();
    task.backend->resume(task.core());
    machine.running = nullptr;
    machine.throttle.end_turn();
    kit::choice(kit::Act::yielded, &task.core());
}

// A lock that a task has handed to the loop is released once the task is in its set. If it is the scheduler's own lock,
// it is already held.
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
