// Steps 4.1 to 4.3: the runnable R (a task), the scheduler S with its three sets, and how a task leaves. Step 4.4 adds
// strategy.h, steps 4.6 to 4.8 machines.h; what else a task calls is in tasks.h.
#pragma once

#include <cstdint>
#include <span>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/scheduler_base.h"
#include "labs/04_scheduler/parts/sets.h"
#include "labs/04_scheduler/parts/task_parts.h"
#include "labs/kit/run/state.h"
#include "labs/kit/sets/queue.h"
#include "labs/kit/sets/tree_node.h"

namespace fiberscope::lab04 {

/// How a sleep or a wait came to its end.
enum class Wake : std::uint8_t { event, timeout, cancelled };

/// The runnable R. Its context, stack, status and number are those of the coroutine right behind it: one allocation for
/// both. Scheduler and Handles own it. TaskParts is what later steps add.
struct alignas(64) Task : TaskParts {
    Task(Scheduler& scheduler, const kit::CoroutineBackend& switching, std::uint64_t now) noexcept
        : TaskParts(switching, now), sched(&scheduler) {}

    // Step 4.2.
    kit::TreeNode sleep_node;    ///< while it sleeps, or waits with a limit
    std::uint64_t deadline = 0;  ///< ns: when it must be woken at the latest; or kNever
    // Step 4.3: what a search of the wait tree reads, in one cache line.
    alignas(64) kit::TreeNode wait_node;  ///< while it waits for a descriptor
    std::uint64_t order = 0;              ///< of its last insert into a tree: the earlier one has the smaller number
    int fd = kNoDescriptor;               ///< the descriptor that it waits for
    Want want = Want::read;               ///< what it wants to do with it
    Wake woken = Wake::event;             ///< how its last sleep or wait ended
    // Step 4.1: what every switch touches, in the same line, which is the one before the coroutine.
    bool bound = false;               ///< 4.9: only its scheduler's thread may use it
    bool started = false;             ///< it has run, so its stack has frames
    const char* reason = nullptr;     ///< why it is parked, in words: what follows "waits for"
    Scheduler* sched;                 ///< the scheduler that it belongs to
    kit::QueueLink<Task> ready_next;  ///< while it is ready, or (4.9) in the time-out list

    kit::Core& core() noexcept { return *reinterpret_cast<kit::Core*>(this + 1); }
    const kit::Core& core() const noexcept { return *reinterpret_cast<const kit::Core*>(this + 1); }
    State status() const noexcept { return reinterpret_cast<const kit::Status*>(this + 1)->state(); }
    bool waits_for_descriptor() const noexcept { return fd != kNoDescriptor; }
};

/// Step 4.2: whether `a` stands before `b` in the sleep tree: by (deadline, order).
bool sleeps_before(const Task& a, const Task& b);
/// Step 4.3: whether `a` stands before `b` in the wait tree: by (descriptor, order).
bool waits_before(const Task& a, const Task& b);

using ReadyQueue = kit::Queue<Task, &Task::ready_next>;

/// S: what all tasks of a thread share. settings(), alive(), source(), … are in SchedulerBase.
class Scheduler : public SchedulerBase {
  public:
    /// Becomes the scheduler of this thread. Throws std::logic_error if there is one, std::invalid_argument for a
    /// strategy that does not exist.
    Scheduler();
    explicit Scheduler(const Settings& settings);
    /// Unwinds the tasks that are alive. On its own thread, outside of every task.
    ~Scheduler();

    // ---- what the student writes: steps 4.1 to 4.4 ------------------------------------------------------------------

    /// 4.1. The scheduler of this thread; made with the default settings if there is none yet (as
    /// nty_coroutine_create does). Do not keep it across a switch.
    static Scheduler& of_this_thread();
    /// 4.1. Puts a task that is new, suspended, sleeping or waiting at the end of the ready queue, and sets its state.
    /// False, and nothing changes, if it is ready, has its turn or is dead. It must be in no other set: remove() first.
    bool make_ready(Task& task, Cause cause);
    /// 4.1. A task has yielded: inserts it into the set that its state names.
    void insert_by_state(Task& task);
    /// 4.2. Into the sleep tree.
    void insert_sleeping(Task& task);
    /// 4.2. The first in the sleep tree, if its deadline is not later than `now`; else null. It stays there.
    Task* expired(std::uint64_t now) const;
    /// 4.2. Removes a task from each tree that it is in, and tells it why. Then comes make_ready or resume.
    void remove(Task& task, Wake why);
    /// 4.3. Into the wait set, with a deadline the sleep tree too; the source watches for it. If it throws, out again.
    void insert_waiting(Task& task);
    /// 4.3. Out of the wait set; the source of events stops watching for it.
    void remove_waiting(Task& task);
    /// 4.3. The first in the wait set that `event` is meant for; null if there is none. It stays there.
    Task* waiter(const Event& event) const;
    /// 4.3. Wakes a task that sleeps or waits, before its time. False, and nothing changes, if it does neither.
    bool wake(Task& task, Wake how, Cause cause);
    /// 4.4. What has happened to descriptors. If a task is ready, or none is alive, it only looks. Otherwise it waits,
    /// until the first deadline at most (kNever is none). Throws Stuck if there is no deadline and no event can come.
    std::span<const Event> poll();

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Runs a task until it yields or ends, and inserts it, or the one that it has handed over to. It must be in no
    /// set. Throws Misuse (bound_to_thread) if it is bound to another thread.
    inline void resume(Task& task);  // in parts/resume.h, which strategy.h includes
    /// The time, ns; 0 if the sleep tree is empty, because reading a clock is not free.
    std::uint64_t look_at_clock() noexcept { return read_clock(!sleeping_.empty()); }
    ReadyQueue& ready() noexcept { return ready_; }
    SleepSet& sleeping() noexcept { return sleeping_; }
    WaitSet& waiting() noexcept { return waiting_; }

  private:
    friend SchedulerBase;
    friend WorkerPool;
    Scheduler(Scheduler& first, unsigned machine, EventSource& source);

    ReadyQueue ready_;
    SleepSet sleeping_;
    WaitSet waiting_;
};

// ---- how a task leaves ------------------------------------------------------------------------------------------------

/// Given. The task that runs on this thread. Throws Misuse (not_a_task) outside of tasks, and in a coroutine that a
/// task has resumed itself.
Task& running_task();
/// Given. The task that runs here leaves. It is in state `left` until it is resumed, with `until` and `reason` as a
/// backend's yield has them.
void leave(Task& self, State left, std::int64_t until = trace::kAbsent, const char* reason = nullptr);
/// Given. Yields in state `as`, until the task's deadline, for the reason that the task names. Returns how it was
/// woken. What a wake needs to know (deadline, fd, want, reason) must be set before.
Wake yield_as(Task& self, State as);

/// Step 4.1. Lets the others go first: ready again at once, behind those that are ready now. Throws Misuse outside of
/// tasks.
void yield();
/// Step 4.2. Sleeps for at least `ns`; 0 is a yield. `timeout` is the normal end; the others say that it was woken
/// early.
Wake sleep_for(std::uint64_t ns);
/// Step 4.3. Waits until `fd` can be read or written, `limit` ns at most (kNever: as long as it takes; 0: until the
/// next look). `event` says that it may be tried now; the same event may have woken others. Throws std::system_error
/// for a descriptor that cannot exist.
Wake wait_for(int fd, Want want, std::uint64_t limit = kNever);

}  // namespace fiberscope::lab04
