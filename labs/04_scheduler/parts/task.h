// The runnable R: a task, and how it leaves (steps 4.1 to 4.3). What later steps add to it are parts, listed in
// TaskParts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/kit/run/state.h"
#include "labs/kit/sets/queue.h"
#include "labs/kit/sets/tree_node.h"

namespace fiberscope::kit {
struct CoroutineBackend;
}

namespace fiberscope::lab04 {

using kit::State;

class Handle;
class Scheduler;
struct Locals;
struct Task;

/// Any machine may run the task.
inline constexpr int kAnyMachine = -1;

/// Step 4.9: what an event loop of libco calls for one task (pfnPrepare and pfnProcess of stTimeoutItem_t). Never null
/// in a task of such a loop.
struct LoopItem {
    void (*prepare)(Scheduler& scheduler, Task& task, const Event& event) = nullptr;  ///< an event has come for it
    void (*process)(Scheduler& scheduler, Task& task) = nullptr;                      ///< its turn has come
};

/// What few tasks need: made when it is first asked for.
struct ColdState {
    std::unique_ptr<std::vector<Handle>> joining;  ///< the tasks that wait for its end; null until one does
    std::vector<std::function<void()>> deferred;
    std::uint64_t last_run = 0;
    LoopItem item;
    Locals* locals = nullptr;
    unsigned forbids_preemption = 0;
};

class TaskColdState {
  public:
    TaskColdState() = default;
    ~TaskColdState();
    TaskColdState(const TaskColdState&) = delete;
    TaskColdState& operator=(const TaskColdState&) = delete;

    bool has_cold_state() const noexcept { return cold_state_.load(std::memory_order_acquire) != nullptr; }
    /// The tasks that wait for its end. Under its scheduler's lock.
    std::unique_ptr<std::vector<Handle>>& joining() { return cold_state().joining; }
    std::vector<std::function<void()>>& deferred() { return cold_state().deferred; }  ///< 4.8: the last is called first
    std::uint64_t& last_run() { return cold_state().last_run; }  ///< 4.8, ns: when it was resumed last
    LoopItem& loop_item() { return cold_state().item; }          // step 4.9
    Locals*& locals() { return cold_state().locals; }            ///< 4.11: made at first use; gone before it is dead

    unsigned& forbids_preemption() { return cold_state().forbids_preemption; }  // step 4.17

  private:
    ColdState& cold_state() {
        ColdState* const made = cold_state_.load(std::memory_order_acquire);
        return made != nullptr ? *made : make_cold_state();
    }
    ColdState& make_cold_state();

    std::atomic<ColdState*> cold_state_{nullptr};  // one that joins it and the task itself may ask at the same time
};

struct TaskLife {
    std::function<void()> body;  ///< what it does
    Task* before = nullptr;      ///< all that are alive, linked in order of birth
    Task* behind = nullptr;
    std::uint64_t birth;                    ///< ns: when it was made
    const kit::CoroutineBackend* backend;   ///< what switches it
    std::atomic<std::uint32_t> holders{1};  ///< its scheduler while it is alive, and Handles
    std::atomic<bool> ended{false};         ///< its exit has been handled: its stack is not used again
    bool system = false;                    ///< run() does not wait for its end

    TaskLife(const kit::CoroutineBackend& switching, std::uint64_t now) noexcept : birth(now), backend(&switching) {}
};

/// Steps 4.6 to 4.8.
struct TaskOnMachines {
    int pinned = kAnyMachine;   ///< the one machine that may run it
    std::uint16_t machine = 0;  ///< the machine that ran it last
    bool wakeable = false;      ///< it has yielded, sleeping or waiting, and is not woken yet; under the lock
    bool defers = false;        ///< 4.8: it is a G: its deferred calls are made at its end
};

/// Lab 05.
struct TaskHook {
    void* io = nullptr;
};

/// The list. In this order they take a cache line and a half.
struct TaskParts : TaskColdState, TaskHook, TaskLife, TaskOnMachines {
    using TaskLife::TaskLife;
};

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
    int fd = kNoDescriptor;               ///< the descriptor that it waits for; kNoDescriptor: none, it is parked
    Want want = Want::read;               ///< what it wants to do with it
    Wake woken = Wake::event;             ///< how its last sleep or wait ended
    // Step 4.1: what every switch touches, in the same line, which is the one before the coroutine.
    // Bound (4.9): only its scheduler's thread may use it. Otherwise (4.18): its backend is not its scheduler's.
    bool bound : 1 = false, switched_otherwise : 1 = false;
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

// ---- how a task leaves ----------------------------------------------------------------------------------------------

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
