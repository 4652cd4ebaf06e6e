// Steps 4.6 to 4.8: what a strategy of several machines decides; each has a default.
#pragma once

#include <string>
#include <string_view>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

/// A strategy whose tasks several machines run.
class SharedStrategy : public Strategy {
  public:
    /// Strategy::enqueue_new, with the lock: by default at the end of the ready queue.
    virtual void enqueue_shared(WorkerPool& sched, Task& task) KIT_REQUIRES(sched.lock());
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

    void enqueue_new(Scheduler& scheduler, Task& task) final;
    /// From now on, until on_detach, go_from_outside finds the scheduler.
    void on_attach(Scheduler& scheduler) override;
    void on_detach(Scheduler& scheduler) override;

  protected:
    bool leaves_all_to_lookers_ = false;
};

/// From a thread that has no scheduler: a task for the scheduler that another thread has made last with this strategy;
/// its machines run it, now or at their next run. Empty if there is none.
Handle go_from_outside(std::string_view strategy, Body body, Attributes attributes = {}, TaskOptions options = {});

}  // namespace fiberscope::lab04
