// Step 6.4: time as a descriptor: netco's Timer, a timerfd and a heap.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "labs/06_timers/timer.h"

namespace fiberscope::lab06 {

/// Given: a timerfd of the kernel. Readable from the moment on for which it was set.
class ClockDescriptor {
  public:
    /// Throws std::system_error if the kernel gives none.
    ClockDescriptor();
    ~ClockDescriptor();
    ClockDescriptor(const ClockDescriptor&) = delete;
    ClockDescriptor& operator=(const ClockDescriptor&) = delete;

    int fd() const noexcept { return fd_; }
    /// One system call: readable once, when the clock says `deadline` (ns); at once if that is past. Replaces what was
    /// set.
    void set(std::uint64_t deadline);
    /// One system call: no longer readable, if it was. Whether it was; then nothing is set any more.
    bool drain();

    /// How often it was set.
    std::uint64_t times_set() const noexcept { return times_set_; }

  private:
    int fd_;
    std::uint64_t times_set_ = 0;
};

/// Timers in a store of any kind, and one descriptor that stands for all of them in an epoll, beside the sockets: it is
/// readable when the first has expired. Then take_expired() must be called. Only under the real clock does the
/// descriptor tell the time; under the virtual one it is set all the same. Not for several threads.
class TimerDescriptor {
  public:
    /// The store must outlive it. Throws std::system_error.
    explicit TimerDescriptor(TimerStore& store) : store_(store) {}

    int fd() const noexcept { return clock_.fd(); }
    std::uint64_t times_set() const noexcept { return clock_.times_set(); }
    /// The moment, ns, for which the descriptor is set; 0: a wake-up; kNever: none.
    std::uint64_t set_for() const noexcept { return set_for_; }

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// Into the store. The descriptor is set only if this timer is the first now.
    void run_at(Timer& timer, std::uint64_t deadline);
    void run_after(Timer& timer, std::uint64_t ns);
    /// Out of the store; the descriptor stays as it is. False if it is not there.
    bool cancel(Timer& timer) { return store_.cancel(timer); }
    /// The descriptor becomes readable at once, whatever the timers say: the task that waits for it is woken.
    void wake();
    /// Reads the descriptor, appends those that have expired to `out`, and sets the descriptor for the first that is
    /// left.
    void take_expired(std::vector<Timer*>& out);

  private:
    /// Sets the descriptor for the first deadline, if that is earlier than what it is set for.
    void set_for_first();

    TimerStore& store_;
    ClockDescriptor clock_;
    std::uint64_t set_for_ = kNever;
};

/// What the student writes, too: the life of a task that serves `timers` in a scheduler on epoll (lab 05's source, or
/// step 6.5's), under the real clock: one more descriptor to wait for, beside the sockets. Whenever it is readable,
/// hands those that have expired to `expired`, one after the other; as long as `more` says so, which it is asked before
/// each wait, and nothing else ends it: after a wait that was cancelled it goes on too. To be asked at once: wake().
/// netco's loop does this itself, after each wait of its epoll.
void serve_descriptor(TimerDescriptor& timers, const std::function<void(Timer&)>& expired,
                      const std::function<bool()>& more);

}  // namespace fiberscope::lab06
