// Step 4.1: the runnable R. What belongs to one task and may differ from that of another lies here; what all share is the
// scheduler's.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/backend.h"
#include "labs/kit/coroutine.h"
#include "labs/kit/lock.h"
#include "labs/kit/never.h"
#include "labs/kit/sets/queue.h"
#include "labs/kit/sets/tree.h"

namespace fiberscope::lab04 {

using kit::Attributes;
using kit::Body;
using kit::kNever;
using kit::State;
using trace::Cause;
using trace::Want;

class Scheduler;
class Handle;
struct Event;
struct Locals;
struct Task;

/// Waits for no descriptor.
inline constexpr int kNoDescriptor = -1;

/// Any machine may run it.
inline constexpr int kAnyMachine = -1;

/// How a sleep or a wait came to its end.
enum class Wake : std::uint8_t { event, timeout, cancelled };

/// Step 4.9: what an event loop of libco calls for one task (pfnPrepare and pfnProcess of stTimeoutItem_t). Never null in a
/// task of such a loop.
struct LoopItem {
    void (*prepare)(Scheduler& scheduler, Task& task, const Event& event) = nullptr;  ///< an event has come for it
    void (*process)(Scheduler& scheduler, Task& task) = nullptr;                      ///< its turn has come
};

/// The runnable R. Its context, stack, status and number are those of the coroutine, which lies right behind it in memory:
/// one allocation for both. Made by a scheduler, and owned by it and by the Handles on it.
struct alignas(64) Task {
    Task(Scheduler& scheduler, const kit::CoroutineBackend& switching, std::uint64_t now) noexcept;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    // A cache line of its own for what a walk down the wait tree looks at.
    kit::TreeNode wait_node;     ///< while it waits for a descriptor
    std::uint64_t order = 0;     ///< of its last entry into a tree: who came earlier has the smaller number
    int fd = kNoDescriptor;      ///< what it waits for
    Want want = Want::read;      ///< to do with it
    Wake woken = Wake::event;    ///< how its last sleep or wait ended
    std::uint64_t deadline = 0;  ///< ns: when it is to be woken at the latest; or kNever

    kit::TreeNode sleep_node;      ///< while it sleeps, or waits with a limit
    const char* reason = nullptr;  ///< why it is parked, in words: what stands behind "waits for"

    void* io = nullptr;  ///< what lab 05 keeps for it

    std::vector<Handle> joining;  ///< who waits for its end
    Task* before = nullptr;       ///< all that are alive, linked in order of birth
    Task* behind = nullptr;
    std::atomic<std::uint32_t> holders{1};  ///< its scheduler while it is alive, and Handles
    std::uint64_t birth;                    ///< ns: when it was made
    int pinned = kAnyMachine;               ///< the one machine that may run it
    bool system = false;                    ///< run() does not wait for its end
    bool defers = false;                    ///< it is a G: its deferred calls are made at its end
    std::vector<std::function<void()>> deferred;
    Body body;                          ///< what it does
    std::uint64_t last_run = 0;         ///< ns: when the M:G scheduler entered it last
    kit::QueueLink<Task> timeout_next;  ///< step 4.9: while it is in the time-out list
    Locals* locals = nullptr;           ///< step 4.11: made at first use; its own, gone before it is dead

    // What every switch touches stands together, in the 64 bytes next to the coroutine: a cache line.
    alignas(64) const kit::CoroutineBackend* backend;  ///< what switches it
    LoopItem item;                                     ///< step 4.9
    kit::QueueLink<Task> ready_next;                   ///< while it is ready
    Scheduler* sched;                                  ///< whose it is
    kit::Lock* held = nullptr;                         ///< what it took and its loop releases, when it has parked
    unsigned machine = 0;                              ///< which of several machines ran it last
    bool entered = false;                              ///< it has run, so there are frames on its stack
    bool wakeable = false;  ///< of several machines: it has left, sleeping or waiting, and is not woken yet; locked
    std::atomic<bool> ended{false};  ///< its end has been handled: nobody will run on its stack again
    bool bound = false;              ///< it may be used on its scheduler's thread only (step 4.9)
    kit::Core& core() noexcept { return *reinterpret_cast<kit::Core*>(this + 1); }
    const kit::Core& core() const noexcept { return *reinterpret_cast<const kit::Core*>(this + 1); }
    State status() const noexcept { return core().state(); }
    bool waits_for_descriptor() const noexcept { return fd != kNoDescriptor; }
};

/// Why a task is not running, in words: "sleeps until 12 µs", "waits for fd 7 to be readable, until 20 µs at most".
std::string why_not_running(const Task& task);

/// Keeps a task in memory, also when it has ended, so that one can ask for its end or join it. May be copied, and given to
/// other tasks. An empty one names no task.
class Handle {
  public:
    Handle() = default;
    explicit Handle(Task& task) noexcept : task_(&task) { task.holders.fetch_add(1, std::memory_order_relaxed); }
    Handle(const Handle& other) noexcept : task_(other.task_) {
        if (task_ != nullptr) task_->holders.fetch_add(1, std::memory_order_relaxed);
    }
    Handle(Handle&& other) noexcept : task_(std::exchange(other.task_, nullptr)) {}
    Handle& operator=(Handle other) noexcept {
        std::swap(task_, other.task_);
        return *this;
    }
    ~Handle();

    explicit operator bool() const noexcept { return task_ != nullptr; }
    /// Only of one that names a task.
    Task& task() const noexcept { return *task_; }
    bool done() const noexcept { return task_->ended.load(std::memory_order_acquire); }
    std::uint32_t id() const noexcept { return task_->core().id(); }
    std::string name() const { return task_->core().name(); }

  private:
    Task* task_ = nullptr;
};

}  // namespace fiberscope::lab04
