// Step 4.6: sylar's scheduler. On each machine a scheduler coroutine takes tasks from one list that all share, and
// resumes an idle coroutine when there is none for it. The calling thread has three contexts: its own (main), the
// scheduler coroutine's, and that of the task that runs. The other threads have nothing else to do, so there the
// thread's own context is the scheduler's, as in sylar.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

/// A coroutine that is no task: the scheduler's own, in the words of a trace `scheduler` or `idle`.
class OwnCoroutine {
  public:
    /// Throws std::system_error if no stack can be had.
    OwnCoroutine(const kit::CoroutineBackend& backend, Body body, std::string name, trace::CoKind kind);
    /// Unwinds it if it has been left. Not to be called on its own stack.
    ~OwnCoroutine();
    OwnCoroutine(const OwnCoroutine&) = delete;
    OwnCoroutine& operator=(const OwnCoroutine&) = delete;

    /// Runs it until it leaves or ends; rethrows what it let escape. No lock is held.
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

    /// The list of tasks: the first that `machine` may run leaves it; null if there is none. A pinned one is passed
    /// over by all machines but its own. If others are left that any machine may run, another one is told. The lock is
    /// held.
    Task* take(WorkerPool& sched, const Machine& machine) KIT_REQUIRES(sched.lock());
    /// The scheduler coroutine of a machine: wakes those whose time has come, runs what it may take, and when there is
    /// nothing lets the idle coroutine run. Returns when that one has ended. Holds the lock, except while others run.
    void schedule_tasks(WorkerPool& sched, Machine& machine);
    /// The idle coroutine of a machine: while the scheduler does not stop, waits until there may be work for this
    /// machine, and leaves. Before it ends it tells the others. With settings().with_known_bug it does not wait, and
    /// only leaves.
    void idle(WorkerPool& sched, Machine& machine);
    /// No machine may wait for tasks from outside from now on. Everything that is alive is still run to its end, and
    /// what it begins too. As sylar's stop(), before that one waits.
    void stop(WorkerPool& sched);
    /// Whether it is time to end: stop() was called, and no task is alive.
    bool stopping(WorkerPool& sched) const KIT_REQUIRES(sched.lock());
    /// A task has come into the list: a machine that waits, and may run it, is told. sylar's tickle. The lock is held.
    void on_ready(WorkerPool& sched, const Task& task) override KIT_REQUIRES(sched.lock());

    // ---- what is given ----------------------------------------------------------------------------------------------

    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());

    /// The machines: start, what `meanwhile` does on the calling thread, stop; then the calling thread's scheduler
    /// coroutine helps until all is done, or, without use_caller, the thread waits for the others.
    void run(Scheduler& scheduler) override;
    /// Throws std::invalid_argument if `pinned` is no machine that runs tasks.
    Scheduler& select_scheduler(Scheduler& here, int pinned) override;
    std::string work_for(WorkerPool& sched, unsigned machine) override;

    /// Lets go of the lock, resumes the machine's idle coroutine until it leaves or ends, and takes the lock again.
    void resume_idle(SchedulerLock& held, const Machine& machine);
    bool idle_ended(const Machine& machine) const noexcept { return idle_[machine.index]->done(); }
    /// In the idle coroutine: lets go of the lock, goes back to the scheduler coroutine, and takes the lock again when
    /// it is resumed. If no task can ever run again, throws Stuck: an idle coroutine that never parks would not be
    /// found out.
    void yield_idle(WorkerPool& sched, SchedulerLock& held) KIT_REQUIRES(sched.lock());
    /// The machine of `scheduler` that this thread is; null if it is none.
    static const Machine* machine_here(WorkerPool& sched) noexcept;
    /// The caller is the scheduler coroutine of a machine or its idle coroutine: it looks into the list before it
    /// waits.
    static bool in_the_loop(WorkerPool& sched) noexcept;

  private:
    friend std::vector<Failure> start_and_stop(Scheduler& scheduler, std::function<void()> meanwhile);

    void serve(WorkerPool& sched, Machine& machine);
    void run_on_caller(WorkerPool& sched, Machine& machine);
    unsigned threads(const Scheduler& scheduler) const noexcept;

    std::function<void()> meanwhile_;  // what the calling thread does between start and stop
    std::vector<OwnCoroutine*> idle_;  // by machine; while it serves
    std::size_t resting_ = 0;          // machines whose idle coroutine runs
    std::size_t serving_ = 0;          // machines that run tasks
    bool stopped_ = false;
};

// ---- sylar's way of use ---------------------------------------------------------------------------------------------

/// As start(), what the caller does next, and stop(): the other machines run tasks while the calling thread does
/// `meanwhile` and may schedule more. Returns, and throws, as Scheduler::run. Throws std::invalid_argument if the
/// scheduler's strategy is not sylar's.
std::vector<Failure> start_and_stop(Scheduler& scheduler, std::function<void()> meanwhile);

/// A function as a task, for one machine or for any; of the scheduler of this thread, or, if this thread has none, of
/// sylar's scheduler that another thread has made. As schedule(function, thread). Throws std::logic_error if there is
/// none.
Handle schedule(Body function, int machine = kAnyMachine);
/// A coroutine as a task: one that is parked, sleeps or waits goes to the end of the list, and is told `event`; from
/// now on only `machine` may run it. False, and nothing changes, if it does none of these. As schedule(fiber, thread).
bool schedule(const Handle& coroutine, int machine = kAnyMachine);
/// The task that runs goes on on machine `machine`, and only there (kAnyMachine: anywhere). As switchTo(thread). Throws
/// std::invalid_argument if there is no such machine, and Misuse outside of tasks.
void move_to(int machine);

}  // namespace fiberscope::lab04
