// Step 4.7: netco's processors. A processor is a thread with a scheduler of its own; a task stays with the one that it
// was given to.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

/// What a processor has besides the sets of its scheduler: there, the ready queue holds the active ones. The lock of
/// its scheduler guards it all.
struct Processor {
    Processor(Scheduler& scheduler, unsigned index);

    Scheduler* sched;
    ReadyQueue expired;    ///< whose time has come (netco's timerExpiredCo_)
    ReadyQueue fresh[2];   ///< the new ones (netco's newCoroutines_): others fill one, and the loop empties the other
    unsigned filling = 0;  ///< which of the two is being filled
    ReadyQueue removed;    ///< the dead, until the end of the round (netco's removedCo_)

    bool anyone_ready() const noexcept {
        return !expired.empty() || !fresh[0].empty() || !fresh[1].empty() || !sched->ready().empty();
    }
};

class Netco : public SharedStrategy {
  public:
    ~Netco() override;

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// The processor that was named; or else this one, if it keeps its new tasks; or else the one that has the fewest
    /// tasks, new ones included, the first of several.
    Scheduler& select_scheduler(Scheduler& here, int pinned) override;
    /// A new task, to the buffer that is being filled: counted (unless run() does not wait for it: task.system), and
    /// ready.
    void make_new_ready_shared(WorkerPool& sched, Task& task) override KIT_REQUIRES(sched.lock());
    /// Its processor, if it waits, must have a look.
    void on_ready(WorkerPool& sched, const Task& task) override KIT_REQUIRES(sched.lock());
    void on_deadline(WorkerPool& sched, Task& task) override KIT_REQUIRES(sched.lock());
    void on_exit(WorkerPool& sched, Task& task) override KIT_REQUIRES(sched.lock());
    /// What the thread of a processor does until no task of any processor is alive: round for round the expired, the
    /// new, the active; then the dead are released. A task that becomes ready in a round, other than by its deadline,
    /// runs in the next.
    void work(Machine& machine);

    // ---- what is given ----------------------------------------------------------------------------------------------

    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());
    /// Makes the other processors: settings().machines together. Throws std::invalid_argument if its source of events
    /// cannot serve several.
    void on_attach(Scheduler& first) override;
    void on_detach(Scheduler& scheduler) override;
    /// Runs work() on every processor.
    void run(Scheduler& first) override;
    std::string work_for(WorkerPool& sched, unsigned machine) override;

    const std::vector<std::unique_ptr<Processor>>& processors() const noexcept { return processors_; }
    Processor& of(const Scheduler& scheduler) noexcept { return *processors_[scheduler.machine()]; }
    Processor& of(WorkerPool& sched) noexcept { return of(sched.scheduler()); }
    /// Processor `index`. Throws std::invalid_argument if there is none.
    Processor& named(int index);
    /// How many of its tasks are alive. Without a lock.
    static std::size_t load(const Processor& processor);
    /// Whether a new task stays with `here`, whose machine calls this: its tasks are so short that another processor
    /// would need longer to get one than this one to run it. Never under the virtual clock.
    static bool keeps(const Scheduler& here);
    /// Lets every processor look whether it is over. No lock is held.
    void wake_all();

  private:
    std::vector<std::unique_ptr<Processor>> processors_;
    std::vector<std::unique_ptr<EventSource>> sources_;
    std::vector<std::unique_ptr<Scheduler>> schedulers_;  // of all processors but the first
    kit::Atomic<std::size_t> alive_{0};                   // of all processors, that run() waits for: not released
};

}  // namespace fiberscope::lab04
