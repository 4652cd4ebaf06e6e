// Functions for programs besides yield, sleep_for and wait_for (parts/task.h): go, park, join, wake and cancel.
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

/// A reference-counted handle: keeps a task in memory after its end, so that it can be queried and joined. May be
/// copied, and passed to other tasks. May be empty.
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
    /// The handle must not be empty.
    Task& task() const noexcept { return *task_; }
    bool done() const noexcept { return task_->ended.load(std::memory_order_acquire); }
    std::uint32_t id() const noexcept { return task_->core().id(); }
    std::string name() const { return task_->core().name(); }

  private:
    Task* task_ = nullptr;
};

// ---- new tasks ------------------------------------------------------------------------------------------------------

/// Calls Scheduler::go of this thread's scheduler.
Handle go(Body body, Attributes attributes = {});
template <std::convertible_to<std::string> Name>
Handle go(Body body, Name&& name) {
    return go(std::move(body),
              Attributes{.name = std::string(std::forward<Name>(name)), .stack_size = kit::kDefaultStackSize});
}
/// Creates a task that only machine `machine` may run, if the strategy has several.
Handle go_on(unsigned machine, Body body, Attributes attributes = {});
/// Creates a system task: run() does not wait for its end, and continues it when called again.
Handle go_system(Body body, Attributes attributes = {});

// ---- in a task ------------------------------------------------------------------------------------------------------

inline Wake wait_readable(int fd, std::uint64_t limit = kNever) { return wait_for(fd, Want::read, limit); }
inline Wake wait_writable(int fd, std::uint64_t limit = kNever) { return wait_for(fd, Want::write, limit); }

/// The reason given by join().
inline constexpr Text kToEnd = mark("{0} to end");

/// Parks the running task until wake() or cancel(). `reason` names what it waits for ("a full basket", or a message of
/// languages/message.h) and must live until then.
Wake park(const char* reason);
/// The same, for at most `limit` ns (kNever: no limit).
Wake park_for(const char* reason, std::uint64_t limit);
/// The same, with `lock` held; it is released after the task has yielded, so that no wake-up can be lost in between.
/// `lock` guards the condition that the task waits for; the waker must hold it, or have held it since.
Wake park(const char* reason, kit::Lock& lock) KIT_RELEASE(lock);
/// Waits for a task's end. Returns `event` when it has ended, immediately if it already has; `cancelled` if the wait
/// was cancelled.
Wake join(const Handle& handle);

// ---- about another task ---------------------------------------------------------------------------------------------

/// Wakes a sleeping, waiting or parked task, whose wait returns `event`. No-op that returns false in any other state.
/// This, cancel and join throw Misuse (bound_to_thread) for a task that is bound to another thread.
bool wake(const Handle& handle);
/// The same, but the wait returns `cancelled`. Cancelling ends a wait, not the task: the task decides what to do then.
bool cancel(const Handle& handle);
/// Why a task is not running, as a message: "sleeps until 12 µs", "waits for fd 7 to be readable, until 20 µs at most".
std::string why_not_running(const Task& task);

}  // namespace fiberscope::lab04
