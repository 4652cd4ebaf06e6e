// Given: the parts of a scheduler besides its sets: the tasks that are alive, its source of events, and the functions
// for programs. Additions of later steps are in scheduler_parts.h.
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
using trace::Cause;  // why a task became ready: Cause::spawned, ::event, ::deadline, ::signal or ::cancel
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

    /// Returns the scheduler of this thread; null if there is none.
    static Scheduler* here() noexcept;
    /// Step 4.9. Throws Misuse (bound_to_thread) if `task` is bound to another thread.
    static void require_own_thread(const Task& task);
    /// Creates a scheduler that lives until the thread ends. Throws std::logic_error if there already is one.
    static Scheduler& install();
    static Scheduler& install(const Settings& settings);

    /// Creates a task, which is ready immediately. May be called inside and outside of tasks. Throws std::system_error
    /// if no stack can be allocated, and std::bad_alloc; then no task has been created.
    Handle go(Body body);
    Handle go(Body body, Attributes attributes);
    Handle go(Body body, Attributes attributes, TaskOptions options);
    /// Runs tasks until none is alive. Returns the tasks that ended by an exception since the last call; they are not
    /// reported elsewhere. Throws Stuck, and Misuse if called in a task.
    [[nodiscard]] std::vector<Failure> run();

    /// Step 4.12. Switches from the running task, which must already be in its set, to `next`, which later returns to
    /// the loop in its place. Returns when the task is resumed.
    void hand_over(Task& next, State left, std::int64_t until, const char* reason);

    /// Number of tasks that have not ended, not counting system tasks. Does not need the lock.
    std::size_t alive() const noexcept;
    Task* oldest() const noexcept { return oldest_; }  ///< of all tasks that are alive; Task::behind is the next
    /// Returns the next value for Task::order.
    std::uint64_t next_order() noexcept { return ++order_; }
    const Settings& settings() const noexcept;
    EventSource& source() noexcept { return *source_; }
    const kit::CoroutineBackend& backend() const noexcept { return *backend_; }
    Strategy& strategy() noexcept { return *strategy_; }
    /// The task that was resumed last; see running_task() for whether it still runs.
    Task* running() const noexcept;
    std::uint64_t birth() const noexcept { return birth_; }
    /// The machine that owns this scheduler, if each machine has its own; else 0.
    unsigned machine() const noexcept;
    /// Number of calls of look_at_clock(): one per round. Approximate with several machines.
    std::uint64_t clock_looks() const noexcept { return clock_looks_.load(std::memory_order_relaxed); }
    /// The interface for loops of several machines (machines.h).
    WorkerPool& shared() noexcept;
    bool is_shared() const noexcept { return is_shared_; }  ///< several machines are running it

  protected:
    /// `first` is null for the scheduler of a thread; otherwise this is another scheduler of its strategy.
    SchedulerBase(const Settings& settings, SchedulerBase* first, unsigned machine, EventSource* source);
    ~SchedulerBase();

    /// For the student's poll(): returns the events that have arrived, without waiting; empty if no task waits for one.
    std::span<const Event> look();
    /// The same, but waits for an event until the time `until` (ns; kNever: no limit).
    std::span<const Event> wait_until(std::uint64_t until);
    /// Throws Stuck with the names of the tasks that are alive.
    [[noreturn]] void throw_stuck();
    static std::string describe_stuck(std::span<Scheduler* const> schedulers);
    /// Handles the end of a task: stores its exception, and wakes the tasks that join it.
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
    Task* oldest_ = nullptr;  // all tasks that are alive, in order of birth
    Task* youngest_ = nullptr;
    std::unique_ptr<SchedulerParts> parts_;
    EventSource* source_;
    Strategy* strategy_;

    // Hot fields, next to the sets that follow.
    bool is_shared_ = false;
    const kit::CoroutineBackend* backend_;
    std::atomic<std::uint64_t> clock_looks_{0};  // last: written each turn, as is the ready queue, which follows
};

}  // namespace fiberscope::lab04
