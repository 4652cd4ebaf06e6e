// Step 4.1: the runnable R. What belongs to one task and may differ from that of another lies here; what all share is the
// scheduler's.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/backend.h"
#include "labs/kit/coroutine.h"
#include "labs/kit/sets/queue.h"
#include "labs/kit/sets/tree.h"

namespace fiberscope::lab04 {

using kit::Attributes;
using kit::Body;
using kit::State;
using trace::Cause;
using trace::Want;

class Scheduler;

/// No deadline, no limit.
inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
/// Waits for no descriptor.
inline constexpr int kNoDescriptor = -1;

/// How a sleep or a wait came to its end.
enum class Wake : std::uint8_t { event, timeout, cancelled };

/// The runnable R. Its context, function, argument, stack, status and number are those of the coroutine, which lies right
/// behind it in memory: one allocation for both. Made by a scheduler, and owned by it and by the Handles on it.
struct alignas(64) Task {
    Task(Scheduler& scheduler, const kit::CoroutineBackend& switching, std::uint64_t now) noexcept
        : birth(now), sched(&scheduler), backend(&switching) {}
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    kit::TreeNode sleep_node;    ///< while it sleeps, or waits with a limit
    kit::TreeNode wait_node;     ///< while it waits for a descriptor
    std::uint64_t deadline = 0;  ///< ns: when it is to be woken at the latest; or kNever
    std::uint64_t order = 0;     ///< of its last entry into a tree: who came earlier has the smaller number
    int fd = kNoDescriptor;      ///< what it waits for
    Want want = Want::read;
    Wake woken = Wake::event;      ///< how its last sleep or wait ended
    const char* reason = nullptr;  ///< why it is parked, in words: what stands behind "waits for"

    void* io = nullptr;          ///< what lab 05 keeps for it
    std::vector<Task*> joining;  ///< who waits for its end
    Task* before = nullptr;      ///< all that are alive, linked in order of birth
    Task* behind = nullptr;
    std::atomic<std::uint32_t> holders{1};  ///< its scheduler while it is alive, and Handles
    bool entered = false;                   ///< it has run, so there are frames on its stack

    // What every switch touches stands together, next to the coroutine.
    const void* frame = nullptr;           ///< where on its stack it left the processor last
    std::uint64_t birth;                   ///< ns: when it was made
    Scheduler* sched;                      ///< whose it is
    const kit::CoroutineBackend* backend;  ///< what switches it
    kit::QueueLink<Task> ready_next;       ///< while it is ready

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
    bool done() const noexcept { return task_->status() == State::dead; }
    std::uint32_t id() const noexcept { return task_->core().id(); }
    std::string name() const { return task_->core().name(); }

  private:
    Task* task_ = nullptr;
};

}  // namespace fiberscope::lab04
