// Steps 4.6 to 4.8: what a strategy of several machines decides; each has a default. And how a machine runs a task.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

/// A strategy whose tasks several machines run.
class SharedStrategy : public Strategy {
  public:
    /// Strategy::make_new_ready, with the lock: by default at the end of the ready queue.
    virtual void make_new_ready_shared(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// A task has become ready, and a machine that is parked may be needed for it.
    virtual void on_ready(WorkerPool& sched, const Task& task) KIT_REQUIRES(sched.lock());
    /// The deadline of a task in the sleep tree has passed: wakes it, by default into the ready queue.
    virtual void on_deadline(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// A task has ended, and is in no set: by default it is released at once.
    virtual void on_exit(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());

    /// Whether there is a task that `machine` should run: it looks around for one. By default it does not look.
    virtual bool has_work(WorkerPool& sched, const Machine& machine) KIT_REQUIRES(sched.lock());

    /// Given, for an explorer: the task that machine `machine` could run now if it were awake, in words; empty: none.
    virtual std::string work_for(WorkerPool& sched, unsigned machine);

    /// on_ready would call no machine for a task that any may run as long as one looks around: it is not asked then.
    bool leaves_all_to_lookers() const noexcept { return leaves_all_to_lookers_; }

    void make_new_ready(Scheduler& scheduler, Task& task) final;
    /// From now on, until on_detach, go_from_outside finds the scheduler.
    void on_attach(Scheduler& scheduler) override;
    void on_detach(Scheduler& scheduler) override;

  protected:
    bool leaves_all_to_lookers_ = false;
};

/// From a thread that has no scheduler: a task for the scheduler that another thread has made last with this strategy;
/// its machines run it, now or at their next run. Empty if there is none.
Handle go_from_outside(std::string_view strategy, Body body, Attributes attributes = {}, TaskOptions options = {});

// ---- how a machine runs a task --------------------------------------------------------------------------------------

// Inline, into the loop: a processor predicts where a function returns by the calls before it, and a switch lies
// between. A return behind a switch is predicted wrong, so none is left there.

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
