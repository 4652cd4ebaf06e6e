// Step 4.7: netco's processors. A processor is a thread with its own scheduler; a task stays on the processor to which
// it was given.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

/// The queues of a processor besides the sets of its scheduler, whose ready queue holds the active tasks. Guarded by
/// the lock of its scheduler.
struct Processor {
    Processor(Scheduler& scheduler, unsigned index);

    Scheduler* sched;
    ReadyQueue expired;  ///< tasks whose deadline has passed (netco's timerExpiredCo_)
    ReadyQueue
        fresh[2];  ///< new tasks (netco's newCoroutines_): others fill one buffer while the loop empties the other
    unsigned filling = 0;  ///< index of the buffer that is being filled
    ReadyQueue removed;    ///< dead tasks, until the end of the round (netco's removedCo_)

    bool anyone_ready() const noexcept {
        return !expired.empty() || !fresh[0].empty() || !fresh[1].empty() || !sched->ready().empty();
    }
};

class Netco : public SharedStrategy {
  public:
    ~Netco() override;

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// Returns the named processor; else this one, if it keeps its new tasks; else the first one with the fewest tasks,
    /// including new ones.
    Scheduler& select_scheduler(Scheduler& here, int pinned) override;
    /// Counts a new task (unless task.system: run() does not wait for it), makes it ready, and appends it to the buffer
    /// that is being filled.
    void make_new_ready_shared(WorkerPool& sched, Task& task) override KIT_REQUIRES(sched.lock());
    /// Unparks the processor, if it waits.
    void on_ready(WorkerPool& sched, const Task& task) override KIT_REQUIRES(sched.lock());
    void on_deadline(WorkerPool& sched, Task& task) override KIT_REQUIRES(sched.lock());
    void on_exit(WorkerPool& sched, Task& task) override KIT_REQUIRES(sched.lock());
    /// Loop of a processor's thread; returns when no task of any processor is alive. Each round runs the expired, the
    /// new and the active tasks, then releases the dead ones. A task that becomes ready during a round, other than by
    /// its deadline, runs in the next.
    void work(Machine& machine);

    // ---- what is given ----------------------------------------------------------------------------------------------

    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());
    /// Creates the other processors; the total is settings().machines. Throws std::invalid_argument if the source of
    /// events cannot serve several.
    void on_attach(Scheduler& first) override;
    void on_detach(Scheduler& scheduler) override;
    /// Runs work() on every processor.
    void run(Scheduler& first) override;
    std::string work_for(WorkerPool& sched, unsigned machine) override;

    const std::vector<std::unique_ptr<Processor>>& processors() const noexcept { return processors_; }
    Processor& of(const Scheduler& scheduler) noexcept { return *processors_[scheduler.machine()]; }
    Processor& of(WorkerPool& sched) noexcept { return of(sched.scheduler()); }
    /// Returns processor `index`. Throws std::invalid_argument if there is none.
    Processor& named(int index);
    /// Number of its tasks that are alive. Needs no lock.
    static std::size_t load(const Processor& processor);
    /// Whether a new task should stay on `here`, whose machine calls this: its tasks are so short that handing one over
    /// takes longer than running it. Always false with the virtual clock.
    static bool keeps(const Scheduler& here);
    /// Unparks every processor, to check for the end of the run. Called without locks.
    void wake_all();

  private:
    std::vector<std::unique_ptr<Processor>> processors_;
    std::vector<std::unique_ptr<EventSource>> sources_;
    std::vector<std::unique_ptr<Scheduler>> schedulers_;  // of all processors but the first
    kit::Atomic<std::size_t> alive_{0};  // tasks of all processors that run() waits for and that are not released
};

}  // namespace fiberscope::lab04
