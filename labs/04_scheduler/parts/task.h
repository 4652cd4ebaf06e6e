// The runnable R: a task, and its ways to leave (steps 4.1 to 4.3). Additions of later steps are listed in TaskParts.
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

/// Step 4.9: the functions that libco's event loop calls for a task (pfnPrepare and pfnProcess of stTimeoutItem_t).
/// Never null in a task of such a loop.
struct LoopItem {
    void (*prepare)(Scheduler& scheduler, Task& task, const Event& event) = nullptr;  ///< an event has arrived for it
    void (*process)(Scheduler& scheduler, Task& task) = nullptr;                      ///< its turn has come
};

/// Rarely used state, allocated at first use.
struct ColdState {
    std::unique_ptr<std::vector<Handle>> joining;  ///< the tasks that join it; null until one does
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
    /// The tasks that join it. Requires its scheduler's lock.
    std::unique_ptr<std::vector<Handle>>& joining() { return cold_state().joining; }
    std::vector<std::function<void()>>& deferred() { return cold_state().deferred; }  ///< 4.8: last in, first out
    std::uint64_t& last_run() { return cold_state().last_run; }  ///< 4.8, ns: time of the last resume
    LoopItem& loop_item() { return cold_state().item; }          // step 4.9
    Locals*& locals() { return cold_state().locals; }            ///< 4.11: created at first use; null at the end

    unsigned& forbids_preemption() { return cold_state().forbids_preemption; }  // step 4.17

  private:
    ColdState& cold_state() {
        ColdState* const made = cold_state_.load(std::memory_order_acquire);
        return made != nullptr ? *made : make_cold_state();
    }
    ColdState& make_cold_state();

    std::atomic<ColdState*> cold_state_{nullptr};  // a joining task and the task itself may create it concurrently
};

struct TaskLife {
    std::function<void()> body;  ///< its function
    Task* before = nullptr;      ///< links all tasks that are alive, in order of birth
    Task* behind = nullptr;
    std::uint64_t birth;                    ///< ns: time of creation
    const kit::CoroutineBackend* backend;   ///< switches it
    std::atomic<std::uint32_t> holders{1};  ///< reference count: its scheduler while it is alive, and Handles
    std::atomic<bool> ended{false};         ///< its exit has been handled; its stack is no longer used
    bool system = false;                    ///< run() does not wait for its end

    TaskLife(const kit::CoroutineBackend& switching, std::uint64_t now) noexcept : birth(now), backend(&switching) {}
};

/// Steps 4.6 to 4.8.
struct TaskOnMachines {
    int pinned = kAnyMachine;   ///< the only machine that may run it
    std::uint16_t machine = 0;  ///< the machine that ran it last
    bool wakeable = false;      ///< has yielded, sleeping or waiting, and is not woken yet; guarded by the lock
    bool defers = false;        ///< 4.8: is a G, with deferred calls at its end
};

/// Lab 05.
struct TaskHook {
    void* io = nullptr;
};

/// All parts. In this order they take a cache line and a half.
struct TaskParts : TaskColdState, TaskHook, TaskLife, TaskOnMachines {
    using TaskLife::TaskLife;
};

/// How a sleep or a wait ended.
enum class Wake : std::uint8_t { event, timeout, cancelled };

/// The runnable R. Its context, stack, status and number are those of the coroutine directly after it in memory: one
/// allocation for both. Owned by the scheduler and Handles. TaskParts contains the additions of later steps.
struct alignas(64) Task : TaskParts {
    Task(Scheduler& scheduler, const kit::CoroutineBackend& switching, std::uint64_t now) noexcept
        : TaskParts(switching, now), sched(&scheduler) {}

    // Step 4.2.
    kit::TreeNode sleep_node;    ///< linked while it sleeps, or waits with a limit
    std::uint64_t deadline = 0;  ///< ns: latest time of waking, or kNever
    // Step 4.3: the fields read by a search of the wait tree, in one cache line.
    alignas(64) kit::TreeNode wait_node;  ///< linked while it waits for a descriptor
    std::uint64_t order = 0;              ///< number of its last insertion into a tree; increasing
    int fd = kNoDescriptor;               ///< the descriptor that it waits for; kNoDescriptor if it is parked
    Want want = Want::read;               ///< whether it wants to read or write
    Wake woken = Wake::event;             ///< how its last sleep or wait ended
    // Step 4.1: hot fields of every switch, in the same cache line, next to the coroutine. Bound (4.9): only its
    // scheduler's thread may use it. Otherwise (4.18): its backend is not its scheduler's.
    bool bound : 1 = false, switched_otherwise : 1 = false;
    bool started = false;             ///< has run, so its stack has frames
    const char* reason = nullptr;     ///< why it is parked: the phrase after "waits for"
    Scheduler* sched;                 ///< its scheduler
    kit::QueueLink<Task> ready_next;  ///< linked while it is ready, or (4.9) in the time-out list

    kit::Core& core() noexcept { return *reinterpret_cast<kit::Core*>(this + 1); }
    const kit::Core& core() const noexcept { return *reinterpret_cast<const kit::Core*>(this + 1); }
    State status() const noexcept { return reinterpret_cast<const kit::Status*>(this + 1)->state(); }
    bool waits_for_descriptor() const noexcept { return fd != kNoDescriptor; }
};

/// Step 4.2: whether `a` precedes `b` in the sleep tree: by (deadline, order).
bool sleeps_before(const Task& a, const Task& b);
/// Step 4.3: whether `a` precedes `b` in the wait tree: by (descriptor, order).
bool waits_before(const Task& a, const Task& b);

// ---- how a task leaves ----------------------------------------------------------------------------------------------

/// Given. Returns the running task of this thread. Throws Misuse (not_a_task) outside of tasks, and in a coroutine that
/// the task itself has resumed.
Task& running_task();
/// Given. Suspends the running task in state `left` until it is resumed; `until` and `reason` as for a backend's yield.
void leave(Task& self, State left, std::int64_t until = trace::kAbsent, const char* reason = nullptr);
/// Given. Yields in state `as`, until the task's deadline, with the task's reason. Returns how it was woken. The fields
/// that a wake needs (deadline, fd, want, reason) must be set before.
Wake yield_as(Task& self, State as);

/// Step 4.1. Yields: the task stays ready, after all tasks that are ready now. Throws Misuse outside of tasks.
void yield();
/// Step 4.2. Sleeps for at least `ns`; 0 is a yield. Returns `timeout` normally; other values if it was woken early.
Wake sleep_for(std::uint64_t ns);
/// Step 4.3. Waits until `fd` is readable or writable, for at most `limit` ns (kNever: no limit; 0: until the next
/// poll). `event` is a hint to try now: the same event may have woken other tasks. Throws std::system_error for an
/// invalid descriptor.
Wake wait_for(int fd, Want want, std::uint64_t limit = kNever);

}  // namespace fiberscope::lab04
