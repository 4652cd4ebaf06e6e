// What a program calls besides yield, sleep_for and wait_for (parts/task.h): go, park, join, and what wakes a task.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "labs/04_scheduler/parts/settings.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/run/coroutine.h"
#include "labs/kit/time/clock.h"
#include "languages/say.h"

namespace fiberscope::lab04 {

/// Keeps a task in memory, also when it has ended, so that one can ask for its end or join it. May be copied, and given
/// to other tasks. An empty one names no task.
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
    /// Only of a Handle that names a task.
    Task& task() const noexcept { return *task_; }
    bool done() const noexcept { return task_->ended.load(std::memory_order_acquire); }
    std::uint32_t id() const noexcept { return task_->core().id(); }
    std::string name() const { return task_->core().name(); }

  private:
    Task* task_ = nullptr;
};

// ---- new tasks ------------------------------------------------------------------------------------------------------

/// Scheduler::go of this thread's scheduler.
Handle go(Body body, Attributes attributes = {});
template <std::convertible_to<std::string> Name>
Handle go(Body body, Name&& name) {
    return go(std::move(body),
              Attributes{.name = std::string(std::forward<Name>(name)), .stack_size = kit::kDefaultStackSize});
}
/// A task that only machine `machine` may run, where the strategy knows several.
Handle go_on(unsigned machine, Body body, Attributes attributes = {});
/// A task of the system: run() does not wait for its end, and goes on with it when it is called again.
Handle go_system(Body body, Attributes attributes = {});

// ---- in a task ------------------------------------------------------------------------------------------------------

inline Wake wait_readable(int fd, std::uint64_t limit = kNever) { return wait_for(fd, Want::read, limit); }
inline Wake wait_writable(int fd, std::uint64_t limit = kNever) { return wait_for(fd, Want::write, limit); }

/// What join() waits for.
inline constexpr Text kToEnd = mark("{0} to end");

/// Waits for wake() or cancel(). `reason` says for what ("a full basket", or a message of languages/message.h) and must
/// live until then.
Wake park(const char* reason);
/// The same for `limit` ns at most (kNever: as long as it takes).
Wake park_for(const char* reason, std::uint64_t limit);
/// The same, holding `lock`, which is released after the task has yielded: no other machine can look for it in vain in
/// between. `lock` guards what it waits for; the one that wakes it holds it too, or has held it since.
Wake park(const char* reason, kit::Lock& lock) KIT_RELEASE(lock);
/// Waits for a task's end. `event` when it has ended, at once if it has already; `cancelled` if the waiting was.
Wake join(const Handle& handle);

// ---- about another task ---------------------------------------------------------------------------------------------

/// Wakes a task that sleeps, waits or is parked; it is told `event`. False, and nothing happens, if it does none of
/// these. This, cancel and join throw Misuse (bound_to_thread) for a task that is bound to another thread.
bool wake(const Handle& handle);
/// The same, and it is told `cancelled`. Cancelling ends a wait, not the task: the task decides what to do then.
bool cancel(const Handle& handle);
/// Why a task is not running, as a message: "sleeps until 12 µs", "waits for fd 7 to be readable, until 20 µs at most".
std::string why_not_running(const Task& task);

}  // namespace fiberscope::lab04
