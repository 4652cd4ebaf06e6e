// A strategy decides who runs when. All else (sets, states, tasks) is the scheduler's.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "labs/04_scheduler/task.h"

namespace fiberscope::lab04 {

class Strategy {
  public:
    virtual ~Strategy() = default;

    /// Which scheduler a task belongs to that is begun on a thread of `here`: by default `here`.
    virtual Scheduler& select_scheduler(Scheduler& here, int pinned);
    /// What runs as a new task: by default what was given.
    virtual Body wrap_body(Body body);
    /// Where a new task goes: by default to the end of the scheduler's ready queue. The lock is held.
    virtual void enqueue_new(Scheduler& scheduler, Task& task);
    /// A task has become ready, and a machine that is parked may be needed for it. The lock is held.
    virtual void on_ready(Scheduler& scheduler, const Task& task);
    /// The time of one that sleeps, or waits with a limit, has come: wakes it, by default into the ready queue. Asked where
    /// several machines run. The lock is held.
    virtual void on_deadline(Scheduler& scheduler, Task& task);
    /// A task has ended, and is in no set: by default it is released at once. The lock is held.
    virtual void on_exit(Scheduler& scheduler, Task& task);
    /// A scheduler has been made for it; or a scheduler ends, and all that stand in queues of the strategy go to its own.
    virtual void on_attach(Scheduler& scheduler);
    virtual void on_detach(Scheduler& scheduler);
    /// Runs tasks until none is alive; at once if none is. On the scheduler's thread, outside of every task. Goes in rounds
    /// through the sets: wakes whom it is time to wake, waits if nobody can run, lets some run. A round must end: one that
    /// goes on as long as somebody is ready starves those that sleep or wait.
    virtual void run(Scheduler& scheduler) = 0;
};

/// Step 4.4: the sleep tree and the wait tree produce, the processor consumes, and the ready queue stands between them.
class ProducerConsumer : public Strategy {
  public:
    void run(Scheduler& scheduler) override;
};

/// Step 4.5: a state machine without a middleman: everybody is resumed where he is found, in whichever set.
class MultiState : public Strategy {
  public:
    void run(Scheduler& scheduler) override;
};

/// "producer_consumer", "multi_state", "libco", …: in the order in which they are shown.
std::span<const char* const> strategy_names() noexcept;
struct Settings;
/// The one that `settings` name. Throws std::invalid_argument, with the names that there are.
std::unique_ptr<Strategy> make_strategy(const Settings& settings);

}  // namespace fiberscope::lab04
