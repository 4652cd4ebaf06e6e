// Given: what a scheduler has besides its sets: the tasks that are alive, its source of events, and what a program
// calls. What later steps add is in scheduler_parts.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "labs/04_scheduler/parts/task.h"

namespace fiberscope::kit {
struct Attributes;
struct CoroutineBackend;
}  // namespace fiberscope::kit

namespace fiberscope::lab04 {

using kit::Attributes;
using trace::Cause;  // why a task is ready: Cause::spawned, ::event, ::deadline, ::signal or ::cancel
using Body = std::function<void()>;

class Handle;
class Scheduler;
class Strategy;
class WorkerPool;
struct Failure;
struct SchedulerParts;
struct Settings;
struct TaskOptions;

class SchedulerBase {
  public:
    SchedulerBase(const SchedulerBase&) = delete;
    SchedulerBase& operator=(const SchedulerBase&) = delete;

    /// The scheduler of this thread; null if there is none.
    static Scheduler* here() noexcept;
    /// Step 4.9. Throws Misuse (bound_to_thread) if `task` is bound to another thread than this one.
    static void require_own_thread(const Task& task);
    /// Makes a scheduler that lives until the thread ends. Throws std::logic_error if there is one already.
    static Scheduler& install();
    static Scheduler& install(const Settings& settings);

    /// Makes a task, which is alive and ready from now on. From a task, or from outside. Throws std::system_error if
    /// there is no stack for it, and std::bad_alloc: no task is left then.
    Handle go(Body body);
    Handle go(Body body, Attributes attributes);
    Handle go(Body body, Attributes attributes, TaskOptions options);
    /// Runs tasks until none is alive. Returns at once if none is. Throws Stuck, and Misuse if a task calls it. Returns
    /// the tasks that ended by an exception since the last call: nothing else reports them.
    [[nodiscard]] std::vector<Failure> run();

    /// Step 4.12. The task that runs here leaves for `next`, which then goes back to the loop in its place; it must be
    /// in its set already. Returns when it is resumed, as yielding does.
    void hand_over(Task& next, State left, std::int64_t until, const char* reason);

    /// Tasks that have not ended, without those of the system. Also without the lock.
    std::size_t alive() const noexcept;
    Task* oldest() const noexcept { return oldest_; }  ///< of all that are alive; Task::behind leads to the next
    /// The next number for Task::order.
    std::uint64_t next_order() noexcept { return ++order_; }
    const Settings& settings() const noexcept;
    EventSource& source() noexcept { return *source_; }
    const kit::CoroutineBackend& backend() const noexcept { return *backend_; }
    Strategy& strategy() noexcept { return *strategy_; }
    /// The task that was resumed last; running_task() tells whether it still runs.
    Task* running() const noexcept;
    std::uint64_t birth() const noexcept { return birth_; }
    /// The machine that this is the scheduler of, if each has its own; else 0.
    unsigned machine() const noexcept;
    /// How often look_at_clock() was asked: once a round. Not exact where several machines ask.
    std::uint64_t clock_looks() const noexcept { return clock_looks_.load(std::memory_order_relaxed); }
    /// How loops of several machines use it (machines.h).
    WorkerPool& shared() noexcept;
    bool is_shared() const noexcept { return is_shared_; }  ///< several machines run it now

  protected:
    /// What Scheduler's constructors begin with: `first` null, a thread's; else one more for its strategy.
    SchedulerBase(const Settings& settings, SchedulerBase* first, unsigned machine, EventSource* source);
    ~SchedulerBase();

    /// What the student's poll() uses: the events that have come, without waiting; none if no task waits for any.
    std::span<const Event> look();
    /// The same, and waits until an event comes or the clock says `until` (ns; kNever: no limit).
    std::span<const Event> wait_until(std::uint64_t until);
    /// Throws Stuck, which names the tasks that are alive.
    [[noreturn]] void throw_stuck();
    static std::string describe_stuck(std::span<Scheduler* const> schedulers);
    /// A task has ended: keeps what it threw, and wakes the tasks that join it.
    void handle_exit(Task& task);
    std::uint64_t read_clock(bool needed) noexcept;

    friend WorkerPool;
    friend Wake yield_as(Task& self, State as);
    Scheduler& self() noexcept;
    Task& make(Body&& body, Attributes&& attributes, const kit::CoroutineBackend& backend);
    void begin(Task& task, const TaskOptions& options);
    void admit(Task& task) noexcept;
    void unwind(Task& task);
    void unlink(Task& task) noexcept;
    bool wants_events() const noexcept;
    std::span<Event> ask_source(std::uint64_t until);
    std::span<const Event> seen(std::span<Event> events);

    std::uint64_t birth_;
    std::uint64_t order_ = 0;
    Task* oldest_ = nullptr;  // all that are alive, in order of birth
    Task* youngest_ = nullptr;
    std::unique_ptr<SchedulerParts> parts_;
    EventSource* source_;
    Strategy* strategy_;

    // What every switch touches stands together, with the sets that follow.
    bool is_shared_ = false;
    const kit::CoroutineBackend* backend_;
    std::atomic<std::uint64_t> clock_looks_{0};  // last: each turn writes it, and the ready queue, which follows
};

}  // namespace fiberscope::lab04
