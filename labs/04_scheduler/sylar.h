// Step 4.6: sylar's scheduler. On each machine a scheduler coroutine takes tasks from one shared list, and resumes an
// idle coroutine when there is none for it. The calling thread has three contexts: its own (main), the scheduler
// coroutine's, and that of the task that runs. The other threads have nothing else to do, so there the thread's own
// context is the scheduler's, as in sylar.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

/// A coroutine that is not a task: the scheduler's own, of kind `scheduler` or `idle` in traces.
class OwnCoroutine {
  public:
    /// Throws std::system_error if no stack can be allocated.
    OwnCoroutine(const kit::CoroutineBackend& backend, Body body, std::string name, trace::CoKind kind);
    /// Unwinds the coroutine if it is suspended. Must not be called on its own stack.
    ~OwnCoroutine();
    OwnCoroutine(const OwnCoroutine&) = delete;
    OwnCoroutine& operator=(const OwnCoroutine&) = delete;

    /// Runs the coroutine until it yields or ends; rethrows an exception that escapes it. Called without locks.
    void resume();
    bool done() const noexcept { return core_->state() == State::dead; }

  private:
    struct Free {
        void operator()(void* room) const noexcept;
    };
    const kit::CoroutineBackend& backend_;
    std::unique_ptr<void, Free> room_;
    kit::Core* core_;
};

class Sylar : public SharedStrategy {
  public:
    // ---- what the student writes ------------------------------------------------------------------------------------

    /// Removes and returns the first task in the list that `machine` may run; null if there is none. Tasks pinned to
    /// other machines are skipped. If tasks remain that any machine may run, unparks another machine.
    Task* take(WorkerPool& sched, const Machine& machine) KIT_REQUIRES(sched.lock());
    /// The scheduler coroutine of a machine: wakes expired tasks, runs the tasks it may take, and resumes the idle
    /// coroutine when there are none. Returns when the idle coroutine has ended. Holds the lock, except while another
    /// coroutine runs.
    void schedule_tasks(WorkerPool& sched, Machine& machine);
    /// The idle coroutine of a machine: until the scheduler stops, waits until there may be work for this machine, and
    /// yields. Unparks the other machines before it ends. With settings().with_known_bug it does not wait, and only
    /// yields.
    void idle(WorkerPool& sched, Machine& machine);
    /// Requests the end: from now on no machine waits for tasks from outside. All tasks that are alive, and those that
    /// they start, still run to their end. As sylar's stop(), without its final wait.
    void stop(WorkerPool& sched);
    /// Whether stop() was called and no task is alive.
    bool stopping(WorkerPool& sched) const KIT_REQUIRES(sched.lock());
    /// Unparks a waiting machine that may run the task just added to the list: sylar's tickle.
    void on_ready(WorkerPool& sched, const Task& task) override KIT_REQUIRES(sched.lock());

    // ---- what is given ----------------------------------------------------------------------------------------------

    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());

    /// Starts the machines, calls `meanwhile` on the calling thread, and stops; then the calling thread's scheduler
    /// coroutine helps until all tasks are done, or, without use_caller, the thread waits for the others.
    void run(Scheduler& scheduler) override;
    /// Throws std::invalid_argument if `pinned` is not a machine that runs tasks.
    Scheduler& select_scheduler(Scheduler& here, int pinned) override;
    std::string work_for(WorkerPool& sched, unsigned machine) override;

    /// Resumes the machine's idle coroutine until it yields or ends. Releases the lock meanwhile.
    void resume_idle(SchedulerLock& held, const Machine& machine);
    bool idle_ended(const Machine& machine) const noexcept { return idle_[machine.index]->done(); }
    /// In the idle coroutine: yields to the scheduler coroutine; releases the lock until it is resumed. Throws Stuck if
    /// no task can ever run again, which would otherwise go unnoticed if the idle coroutine never parks.
    void yield_idle(WorkerPool& sched, SchedulerLock& held) KIT_REQUIRES(sched.lock());
    /// Returns the machine of `sched` that runs on this thread, or null.
    static const Machine* machine_here(WorkerPool& sched) noexcept;
    /// Whether the caller is the scheduler coroutine or the idle coroutine of a machine, which checks the list before
    /// it waits.
    static bool in_the_loop(WorkerPool& sched) noexcept;

  private:
    friend std::vector<Failure> start_and_stop(Scheduler& scheduler, std::function<void()> meanwhile);

    void serve(WorkerPool& sched, Machine& machine);
    void run_on_caller(WorkerPool& sched, Machine& machine);
    unsigned threads(const Scheduler& scheduler) const noexcept;

    std::function<void()> meanwhile_;  // called on the calling thread between start and stop
    std::vector<OwnCoroutine*> idle_;  // by machine; set while the machine serves
    std::size_t resting_ = 0;          // machines whose idle coroutine runs
    std::size_t serving_ = 0;          // machines that run tasks
    bool stopped_ = false;
};

// ---- used as sylar does ---------------------------------------------------------------------------------------------

/// As sylar's start(), followed by the caller's own work and stop(): the other machines run tasks while the calling
/// thread runs `meanwhile`, which may schedule more. Returns and throws like Scheduler::run; also throws
/// std::invalid_argument if the scheduler's strategy is not sylar's.
std::vector<Failure> start_and_stop(Scheduler& scheduler, std::function<void()> meanwhile);

/// Schedules a function as a task, for one machine or for any, on the scheduler of this thread, or, if it has none, on
/// another thread's sylar scheduler. As sylar's schedule(function, thread). Throws std::logic_error if there is none.
Handle schedule(Body function, int machine = kAnyMachine);
/// Schedules a parked, sleeping or waiting coroutine: appends it to the list, woken by `event`; from now on only
/// `machine` may run it. No-op that returns false in any other state. As sylar's schedule(fiber, thread).
bool schedule(const Handle& coroutine, int machine = kAnyMachine);
/// Moves the running task to machine `machine` and pins it there (kAnyMachine: unpins it). As sylar's switchTo(thread).
/// Throws std::invalid_argument if there is no such machine, and Misuse outside of tasks.
void move_to(int machine);

}  // namespace fiberscope::lab04
