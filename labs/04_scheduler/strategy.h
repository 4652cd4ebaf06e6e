// Steps 4.4 and 4.5: a strategy decides which task runs when. All else (sets, states, tasks) is the scheduler's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "labs/04_scheduler/parts/scheduler_parts.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/run/coroutine.h"
#include "labs/kit/run/known_code.h"
#include "languages/say.h"

namespace fiberscope::lab04 {

class Strategy {
  public:
    virtual ~Strategy() = default;

    /// Runs tasks until none is alive; at once if none is. On the scheduler's thread, outside of every task. Goes in
    /// rounds through the sets: wakes the tasks whose time has come, waits if none can run, lets some run. A round must
    /// end: one that goes on as long as a task is ready starves those that sleep or wait.
    virtual void run(Scheduler& scheduler) = 0;

    // What a strategy may decide besides; each has a default.

    /// Puts a new task where it waits for its first turn: by default at the end of the scheduler's ready queue. If it
    /// throws, the task must stand nowhere: it is not alive then.
    virtual void make_new_ready(Scheduler& scheduler, Task& task);
    /// Which scheduler a task belongs to that is made on a thread of `here`: by default `here`.
    virtual Scheduler& select_scheduler(Scheduler& here, int pinned);
    /// What runs as a new task: by default what was given.
    virtual kit::Body wrap_body(kit::Body body);
    /// How a task leaves that runs here: by default it yields to its loop, by the yield of its backend.
    virtual void leave(Task& self, kit::State left, std::int64_t until, const char* reason);
    /// A scheduler has been made for this strategy.
    virtual void on_attach(Scheduler& scheduler);
    /// A scheduler ends: all tasks that stand in queues of the strategy go to the scheduler's own.
    virtual void on_detach(Scheduler& scheduler);
};

// Inline, into the loop: see shared_strategy.h. Even odds for a bound task: a compiler would put what follows for it
// far away.
inline void Scheduler::resume(Task& task) {
    const bool bound = __builtin_expect_with_probability(task.bound, true, 0.5);
    if (bound && &task.sched->parts_->own != machine_here()) require_own_thread(task);
    parts_->own.running = &task;
    task.started = true;
    parts_->prefetcher.before_resume(task, ready_);
    (task.switched_otherwise ? task.backend : backend_)->resume(task.core());
    insert_by_state(*parts_->own.running);
}

/// Step 4.4: the sleep tree and the wait tree produce, the processor consumes, and the ready queue stands between them.
class ProducerConsumer : public Strategy {
  public:
    void run(Scheduler& scheduler) override;
};

/// Step 4.5: a state machine without a queue in between: each task is resumed from the set in which it is found.
class MultiState : public Strategy {
  public:
    void run(Scheduler& scheduler) override;
};

/// All that other code knows of a strategy. Each has one, `fiberscope_strategy_NAME`, in given/, known as long as the
/// program runs; the lab's CMakeLists.txt finds it there by that name.
class KnownStrategy {
  public:
    using Make = std::unique_ptr<Strategy> (*)(const Settings& settings);
    template <class Known>
    static std::unique_ptr<Strategy> make(const Settings&) {
        return std::make_unique<Known>();
    }
    struct About {
        const char* name;
        Make make;
        bool machines = false;                    ///< it runs tasks on several threads
        Text rule = {};                           ///< by which it decides, in one sentence
        std::span<const kit::CodeRow> code = {};  ///< where; the row of "program" has its step
        std::string_view only = name;             ///< which programs and strategies' traces these describe
        bool for_any_work = true;                 ///< it runs any workload
    };

    explicit KnownStrategy(const About& about) noexcept
        : about_(about),
          code_("04_scheduler", about.code, {about.only, about.rule.english, true, true}),
          next_(std::exchange(all, this)) {}

    /// All, in the order of their steps.
    static std::vector<const About*> known();

  private:
    static KnownStrategy* all;

    About about_;
    kit::KnownCode code_;
    KnownStrategy* next_;
};

/// The one that `settings` name. Throws std::invalid_argument, with the names that there are.
std::unique_ptr<Strategy> make_strategy(const Settings& settings);

/// The names of those for which `takes` holds, in the order of their steps.
std::vector<const char*> strategies(bool (*takes)(const KnownStrategy::About&));

}  // namespace fiberscope::lab04
