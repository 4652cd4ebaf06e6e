// Steps 4.1 to 4.3: the scheduler S with its three sets. The runnable R (a task) and its ways to leave are in
// parts/task.h, the other functions for tasks in tasks.h. Step 4.4 adds strategy.h, steps 4.6 to 4.8 machines.h and
// shared_strategy.h.
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

/// S: the state shared by all tasks of a thread. settings(), alive(), source(), … are in SchedulerBase.
class Scheduler : public SchedulerBase {
  public:
    /// Installs itself as the scheduler of this thread. Throws std::logic_error if there already is one,
    /// std::invalid_argument for an unknown strategy.
    Scheduler();
    explicit Scheduler(const Settings& settings);
    /// Unwinds the tasks that are alive. Must be called on its own thread, outside of every task.
    ~Scheduler();

    // ---- what the student writes: steps 4.1 to 4.4 ------------------------------------------------------------------

    /// 4.1. Returns the scheduler of this thread; creates it with the default settings if there is none yet (as
    /// nty_coroutine_create does). Do not keep the reference across a switch.
    static Scheduler& of_this_thread();
    /// 4.1. Sets a new, suspended, sleeping or waiting task to ready and appends it to the ready queue. No-op that
    /// returns false if it is ready, has its turn, or is dead. It must not be in any other set: remove() first.
    bool make_ready(Task& task, Cause cause);
    /// 4.1. Inserts a task that has yielded into the set for its state; see Task::waits_for_descriptor().
    void insert_by_state(Task& task);
    /// 4.2. Inserts a task into the sleep tree.
    void insert_sleeping(Task& task);
    ///  4.2. Returns, but does not remove, the first task of the sleep tree if it has expired at `now`, else null.
    Task* expired(std::uint64_t now) const;
    /// 4.2. Removes a task from each tree that it is in, and stores why it was woken. Followed by make_ready(), with
    /// Cause::deadline, or resume().
    void remove(Task& task, Wake why);
    /// 4.3. Inserts a task into the wait set, and with a deadline also into the sleep tree; makes the source watch for
    /// it. Has no effect if it throws.
    void insert_waiting(Task& task);
    /// 4.3. Removes a task from the wait set; the source of events stops watching for it.
    void remove_waiting(Task& task);
    ///  4.3. Returns, but does not remove, the first task in the wait set that `event` is meant for; null if none.
    Task* waiter(const Event& event) const;
    /// 4.3. Wakes a sleeping or waiting task before its time. No-op that returns false if it does neither.
    bool wake(Task& task, Wake how, Cause cause);
    /// 4.4. Returns the events of descriptors. Does not wait if a task is ready or none is alive; otherwise waits, at
    /// most until the first deadline (kNever is none). Throws Stuck if there is no deadline and no event can arrive.
    std::span<const Event> poll();

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Runs a task until it yields or ends, then inserts it, or the last task that was handed over to. It must not be
    /// in any set. Throws Misuse (bound_to_thread) if it is bound to another thread.
    inline void resume(Task& task);  // in strategy.h
    /// Returns the time in ns; 0 if the sleep tree is empty, because reading a clock is not free.
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
