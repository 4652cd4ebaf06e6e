// Step 6.4: time as a descriptor: netco's Timer, a timerfd and a heap.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "labs/06_timers/timer.h"

namespace fiberscope::lab06 {

/// Given: a timerfd of the kernel, readable from the time for which it is set.
class ClockDescriptor {
  public:
    /// Throws std::system_error if it cannot be created.
    ClockDescriptor();
    ~ClockDescriptor();
    ClockDescriptor(const ClockDescriptor&) = delete;
    ClockDescriptor& operator=(const ClockDescriptor&) = delete;

    int fd() const noexcept { return fd_; }
    /// Makes the descriptor readable once, at `deadline` (ns); at once if that is past. Replaces the previous setting.
    /// One system call.
    void set(std::uint64_t deadline);
    /// Returns whether the descriptor was readable; if so, it is no longer readable and not set. One system call.
    bool drain();

    /// The number of calls of set.
    std::uint64_t times_set() const noexcept { return times_set_; }

  private:
    int fd_;
    std::uint64_t times_set_ = 0;
};

/// Timers in a store of any kind, and one descriptor that represents all of them in an epoll, next to the sockets: it
/// is readable when the first timer has expired, and take_expired() must then be called. The descriptor follows the
/// real clock only; it is set under the virtual one too. Not thread-safe.
class TimerDescriptor {
  public:
    /// The store must outlive this object. Throws std::system_error if the descriptor cannot be created.
    explicit TimerDescriptor(TimerStore& store) : store_(store) {}

    int fd() const noexcept { return clock_.fd(); }
    std::uint64_t times_set() const noexcept { return clock_.times_set(); }
    /// The time, ns, for which the descriptor is set; 0 for a wake-up, kNever if it is not set.
    std::uint64_t set_for() const noexcept { return set_for_; }

    // ---- written by the student -------------------------------------------------------------------------------------

    /// Adds the timer to the store. Sets the descriptor only if this timer is now the first.
    void run_at(Timer& timer, std::uint64_t deadline);
    void run_after(Timer& timer, std::uint64_t ns);
    /// Removes the timer from the store; leaves the descriptor unchanged. Returns false if the timer is not in the
    /// store.
    bool cancel(Timer& timer) { return store_.cancel(timer); }
    /// Makes the descriptor readable at once, regardless of the timers, which wakes the task that waits for it.
    void wake();
    /// Reads the descriptor, appends the expired timers to `out`, and sets the descriptor for the first remaining one.
    void take_expired(std::vector<Timer*>& out);

  private:
    /// Sets the descriptor for the first deadline if that is earlier than the present setting.
    void set_for_first();

    TimerStore& store_;
    ClockDescriptor clock_;
    std::uint64_t set_for_ = kNever;
};

/// Also written by the student: the function of a task that serves `timers` in a scheduler on epoll (lab 05's source,
/// or that of step 6.5), under the real clock. Waits for the descriptor like other tasks for their sockets. Whenever it
/// is readable, passes the expired timers to `expired`, one after the other. Calls `more` before each wait and returns
/// when it is false; nothing else ends it, not even a cancelled wait. wake() makes it call `more` at once. netco's loop
/// does this itself, after each wait of its epoll.
void serve_descriptor(TimerDescriptor& timers, const std::function<void(Timer&)>& expired,
                      const std::function<bool()>& more);

}  // namespace fiberscope::lab06
