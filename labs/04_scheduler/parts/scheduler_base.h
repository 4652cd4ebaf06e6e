// Given: what a scheduler has besides its sets: its settings, the tasks that are alive, its source of events, and what
// a program calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/sleep_set.h"
#include "labs/04_scheduler/parts/stack_prefetcher.h"
#include "labs/04_scheduler/parts/steal_throttle.h"
#include "labs/04_scheduler/parts/wait_set.h"
#include "labs/kit/machines/atomic.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/run/backend.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

using kit::Attributes;
using kit::Body;
using kit::State;
using trace::Cause;

enum class Wake : std::uint8_t;
class Handle;
class Scheduler;
class WorkerPool;
class Strategy;
struct Task;

/// A task that ended by an exception.
struct Failure {
    std::uint32_t id;
    std::string task;  ///< its name
    std::string what;
};

/// No task can ever run again: each one that is alive waits for something that will not come. `what()` names them, and
/// what each waits for. They are still alive; cancel or wake some, and run again.
struct Stuck : std::logic_error {
    using std::logic_error::logic_error;
};

struct Settings {
    std::string_view strategy = "producer_consumer";
    const kit::CoroutineBackend* backend = &kit::asm_backend;
    EventSource* source = nullptr;     ///< not owned; null: a SimulatedSource of the scheduler's own, with no events
    unsigned machines = 1;             ///< threads; a strategy of one thread takes one
    std::uint64_t seed = 1;            ///< under the virtual clock: which machine goes first when their clocks agree
    WaitBy wait_by = WaitBy::tree;     ///< what finds the tasks that wait for a descriptor
    SleepBy sleep_by = SleepBy::tree;  ///< what keeps the tasks that sleep
    bool with_known_bug = false;       ///< with a fault of the published description, where it can be watched
    bool wake_always = false;  ///< each task that becomes ready wakes a machine that waits; no machine looks around
    bool use_caller = true;    ///< sylar: the calling thread is one of the machines; else it only waits for them
};

/// Any machine may run the task.
inline constexpr int kAnyMachine = -1;

/// What a task is for, besides its work.
struct TaskOptions {
    int pinned = kAnyMachine;  ///< the one machine that may run it, where the strategy knows several
    bool system = false;       ///< run() does not wait for its end
};

/// A machine M: a thread that runs the tasks of a scheduler. The thread that made a scheduler is a machine of it, too.
struct Machine {
    Scheduler* sched;
    unsigned index = 0;           ///< 0: the thread that called run()
    Task* running = nullptr;      ///< the task that it resumed last (NtyCo's curr_thread)
    kit::Lock* handed = nullptr;  ///< the lock that this task took and that the loop releases after it has parked
    StealThrottle throttle{};
};

/// The machine that this thread is; null without a scheduler. Ask anew after every switch.
inline Machine* machine_here() noexcept { return static_cast<Machine*>(kit::thread_state().scheduler); }

class SchedulerBase {
  public:
    SchedulerBase(const SchedulerBase&) = delete;
    SchedulerBase& operator=(const SchedulerBase&) = delete;

    /// The scheduler of this thread; null if there is none.
    static Scheduler* here() noexcept {
        const Machine* machine = machine_here();
        return machine == nullptr ? nullptr : machine->sched;
    }
    /// Step 4.9. Throws Misuse (bound_to_thread) if `task` is bound to another thread than this one.
    static void require_own_thread(const Task& task);
    /// Makes a scheduler that lives until the thread ends. Throws std::logic_error if there is one already.
    static Scheduler& install(const Settings& settings = {});

    /// Makes a task, which is alive and ready from now on. From a task, or from outside. Throws std::system_error if
    /// there is no stack for it, and std::bad_alloc: no task is left then.
    Handle go(Body body, Attributes attributes = {}, TaskOptions options = {});
    /// Runs tasks until none is alive. Returns at once if none is. Throws Stuck, and Misuse if a task calls it. Returns
    /// the tasks that ended by an exception since the last call: nothing else reports them.
    [[nodiscard]] std::vector<Failure> run();

    /// Step 4.12. The task that runs here leaves for `next`, which then goes back to the loop in its place; it must be
    /// in its set already. Returns when it is resumed, as yielding does.
    void hand_over(Task& next, State left, std::int64_t until, const char* reason);

    /// Tasks that have not ended, without those of the system. Also without the lock.
    std::size_t alive() const noexcept { return alive_.load(std::memory_order_relaxed); }
    Task* oldest() const noexcept { return oldest_; }  ///< of all that are alive; Task::behind leads to the next
    /// The next number for Task::order.
    std::uint64_t next_order() noexcept { return ++order_; }
    const Settings& settings() const noexcept { return settings_; }
    EventSource& source() noexcept { return *source_; }
    const kit::CoroutineBackend& backend() const noexcept { return *backend_; }
    Strategy& strategy() noexcept { return *strategy_; }
    /// The task that was resumed last; running_task() tells whether it still runs.
    Task* running() const noexcept { return own_.running; }
    std::uint64_t birth() const noexcept { return birth_; }
    /// The machine that this is the scheduler of, if each has its own; else 0.
    unsigned machine() const noexcept { return own_.index; }
    /// How often look_at_clock() was asked: once a round. Not exact where several machines ask.
    std::uint64_t clock_looks() const noexcept { return clock_looks_.load(std::memory_order_relaxed); }
    /// How loops of several machines use it (machines.h).
    WorkerPool& shared() noexcept { return *shared_; }
    bool is_shared() const noexcept { return is_shared_; }  ///< several machines run it now

  protected:
    /// What Scheduler's constructors begin with: `first` null, a thread's; else one more for its strategy.
    SchedulerBase(const Settings& settings, SchedulerBase* first, unsigned machine, EventSource* source);
    ~SchedulerBase();

    /// What the student's poll() uses: the events that have come, without waiting; none if no task waits for any.
    std::span<const Event> look() { return wants_events() ? seen(ask_source(0)) : std::span<const Event>(); }
    /// The same, and waits until an event comes or the clock says `until` (ns; kNever: no limit).
    std::span<const Event> wait_until(std::uint64_t until) { return seen(ask_source(until)); }
    /// Throws Stuck, which names the tasks that are alive.
    [[noreturn]] void throw_stuck();
    static std::string describe_stuck(std::span<Scheduler* const> schedulers);
    /// A task has ended: keeps what it threw, and wakes the tasks that join it.
    void handle_exit(Task& task);

    /// What require_own_thread asks, inline: tasks of an event loop are asked at each turn. A template, because Task is
    /// complete only later. Even odds: a compiler would put what follows for a bound task far away.
    template <class AnyTask>
    static bool belongs_here(const AnyTask& task) noexcept {
        return !__builtin_expect_with_probability(task.bound, true, 0.5) || &task.sched->own_ == machine_here();
    }

    template <class AnyTask>
    void begin_turn(AnyTask& task) noexcept {
        own_.running = &task;
        task.started = true;
    }

    std::uint64_t read_clock(bool needed) noexcept {
        clock_looks_.store(clock_looks() + 1, std::memory_order_relaxed);
        return needed ? kit::now() : 0;
    }

    friend WorkerPool;
    friend Wake yield_as(Task& self, State as);
    Scheduler& self() noexcept;
    Task& make(Body&& body, Attributes&& attributes);
    void begin(Task& task, TaskOptions options);
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
    std::unique_ptr<EventSource> own_source_;
    EventSource* source_;
    std::unique_ptr<Strategy> own_strategy_;
    Strategy* strategy_;
    std::vector<Failure> failures_;
    Settings settings_;
    std::unique_ptr<WorkerPool> shared_;
    kit::Atomic<std::size_t> alive_{0};
    StackPrefetcher prefetcher_;

    // What every switch touches stands together, with the sets that follow.
    bool is_shared_ = false;
    const kit::CoroutineBackend* backend_;
    Machine own_;                                // of the thread that made it
    std::atomic<std::uint64_t> clock_looks_{0};  // last: each turn writes it, and the ready queue, which follows
};

}  // namespace fiberscope::lab04
