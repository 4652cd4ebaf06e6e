// Steps 4.1 to 4.3: the scheduler S with its three sets. The runnable R (a task), and how it leaves, are in
// parts/task.h. Step 4.4 adds strategy.h, steps 4.6 to 4.8 machines.h and shared_strategy.h; what else a task calls is
// in tasks.h.
#pragma once

#include <cstdint>
#include <span>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/scheduler_base.h"
#include "labs/04_scheduler/parts/sets.h"
#include "labs/04_scheduler/parts/task.h"
#include "labs/kit/sets/queue.h"

namespace fiberscope::lab04 {

using ReadyQueue = kit::Queue<Task, &Task::ready_next>;

/// S: what all tasks of a thread share. settings(), alive(), source(), … are in SchedulerBase.
class Scheduler : public SchedulerBase {
  public:
    /// Becomes the scheduler of this thread. Throws std::logic_error if there is one, std::invalid_argument for a
    /// strategy that does not exist.
    Scheduler();
    explicit Scheduler(const Settings& settings);
    /// Unwinds the tasks that are alive. On its own thread, outside of every task.
    ~Scheduler();

    // ---- what the student writes: steps 4.1 to 4.4 ------------------------------------------------------------------

    /// 4.1. The scheduler of this thread; made with the default settings if there is none yet (as
    /// nty_coroutine_create does). Do not keep it across a switch.
    static Scheduler& of_this_thread();
    /// 4.1. Puts a task that is new, suspended, sleeping or waiting at the end of the ready queue, and sets its state.
    /// False, and nothing changes, if it is ready, has its turn or is dead. It must be in no other set: remove() first.
    bool make_ready(Task& task, Cause cause);
    /// 4.1. A task has yielded: inserts it into the set that its state names; see Task::waits_for_descriptor().
    void insert_by_state(Task& task);
    /// 4.2. Into the sleep tree.
    void insert_sleeping(Task& task);
    /// 4.2. The first in the sleep tree, if its deadline is not later than `now`; else null. It stays there.
    Task* expired(std::uint64_t now) const;
    /// 4.2. Out of each tree that it is in, and tells it why. Then comes make_ready, with Cause::deadline, or resume.
    void remove(Task& task, Wake why);
    /// 4.3. Into the wait set, with a deadline the sleep tree too; the source watches for it. If it throws, out again.
    void insert_waiting(Task& task);
    /// 4.3. Out of the wait set; the source of events stops watching for it.
    void remove_waiting(Task& task);
    /// 4.3. The first in the wait set that `event` is meant for; null if there is none. It stays there.
    Task* waiter(const Event& event) const;
    /// 4.3. Wakes a task that sleeps or waits, before its time. False, and nothing changes, if it does neither.
    bool wake(Task& task, Wake how, Cause cause);
    /// 4.4. What has happened to descriptors. If a task is ready, or none is alive, it only looks. Otherwise it waits,
    /// until the first deadline at most (kNever is none). Throws Stuck if there is no deadline and no event can come.
    std::span<const Event> poll();

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Runs a task until it yields or ends, and inserts it, or the one that it has handed over to. It must be in no
    /// set. Throws Misuse (bound_to_thread) if it is bound to another thread.
    inline void resume(Task& task);  // in strategy.h
    /// The time, ns; 0 if the sleep tree is empty, because reading a clock is not free.
    std::uint64_t look_at_clock() noexcept { return read_clock(!sleeping_.empty()); }
    ReadyQueue& ready() noexcept { return ready_; }
    SleepSet& sleeping() noexcept { return sleeping_; }
    WaitSet& waiting() noexcept { return waiting_; }

  private:
    friend SchedulerBase;
    friend WorkerPool;
    Scheduler(Scheduler& first, unsigned machine, EventSource& source);

    ReadyQueue ready_;
    SleepSet sleeping_;
    WaitSet waiting_;
};

}  // namespace fiberscope::lab04
