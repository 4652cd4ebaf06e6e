// Steps 4.4 and 4.5: a strategy decides which task runs when. Everything else (sets, states, tasks) belongs to the
// scheduler.
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

    /// Runs tasks until none is alive. Called on the scheduler's thread, outside of every task. Works in rounds: wakes
    /// the tasks whose deadline has passed, waits if none can run, runs some. A round must end: running as long as a
    /// task is ready would starve the sleeping and waiting tasks.
    virtual void run(Scheduler& scheduler) = 0;

    // Optional decisions; each has a default.

    /// Enqueues a new task for its first turn; by default at the end of the scheduler's ready queue. If it throws, the
    /// task must not be in any queue: it is not alive then.
    virtual void make_new_ready(Scheduler& scheduler, Task& task);
    /// Returns the scheduler for a task created on a thread of `here`; by default `here`.
    virtual Scheduler& select_scheduler(Scheduler& here, int pinned);
    /// Returns the function to run as a new task; by default `body` unchanged.
    virtual kit::Body wrap_body(kit::Body body);
    /// Leaves the running task; by default yields to its loop, by its backend's yield.
    virtual void leave(Task& self, kit::State left, std::int64_t until, const char* reason);
    /// Called when a scheduler has been created for this strategy.
    virtual void on_attach(Scheduler& scheduler);
    /// Called when a scheduler ends: moves all tasks in queues of the strategy to the scheduler's own queue.
    virtual void on_detach(Scheduler& scheduler);
};

// Inlined into the loop: see shared_strategy.h. Probability 0.5 for a bound task, so that the compiler does not move
// that path out of line.
inline void Scheduler::resume(Task& task) {
    const bool bound = __builtin_expect_with_probability(task.bound, true, 0.5);
    if (bound && &task.sched->parts_->own != machine_here()) require_own_thread(task);
    parts_->own.running = &task;
    task.started = true;
    parts_->prefetcher.before_resume(task, ready_);
    (task.switched_otherwise ? task.backend : backend_)->resume(task.core());
    insert_by_state(*parts_->own.running);
}

/// Step 4.4: the sleep tree and the wait tree produce, the processor consumes, with the ready queue in between.
class ProducerConsumer : public Strategy {
  public:
    void run(Scheduler& scheduler) override;
};

/// Step 4.5: a state machine without a queue in between: each task is resumed directly from its set.
class MultiState : public Strategy {
  public:
    void run(Scheduler& scheduler) override;
};

/// Registration of a strategy. Each strategy has one static object, `fiberscope_strategy_NAME`, in given/; the lab's
/// CMakeLists.txt finds it there by that name.
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
        bool machines = false;                    ///< runs tasks on several threads
        Text rule = {};                           ///< its scheduling rule, in one sentence
        std::span<const kit::CodeRow> code = {};  ///< where it is implemented; the row of "program" has its step
        std::string_view only = name;             ///< the programs and strategies whose traces these describe
        bool for_any_work = true;                 ///< runs any workload
    };

    explicit KnownStrategy(const About& about) noexcept
        : about_(about),
          code_("04_scheduler", about.code, {about.only, about.rule.english, true, true}),
          next_(std::exchange(all, this)) {}

    /// All registered strategies, in the order of their steps.
    static std::vector<const About*> known();

  private:
    static KnownStrategy* all;

    About about_;
    kit::KnownCode code_;
    KnownStrategy* next_;
};

/// Creates the strategy that `settings` names. Throws std::invalid_argument, listing the known names.
std::unique_ptr<Strategy> make_strategy(const Settings& settings);

/// Returns the names of the strategies accepted by `takes`, in the order of their steps.
std::vector<const char*> strategies(bool (*takes)(const KnownStrategy::About&));

}  // namespace fiberscope::lab04
