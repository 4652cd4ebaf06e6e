// Given: what ends a wait in epoll without a time-out of its own: a descriptor of the kernel's that becomes readable at
// a time, or when another thread wants it, as in netco's Timer (a timerfd). Lab 06, step 6.4, builds the rest of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "labs/kit/time/never.h"

namespace fiberscope::lab05 {

/// What ends a wait, in time or when called: epoll's time-out and an eventfd, or a timerfd for both (netco).
enum class TimeBy : std::uint8_t { timeout, descriptor };

class WakeTimer {
  public:
    /// Throws std::system_error if the kernel gives none.
    WakeTimer();
    ~WakeTimer();
    WakeTimer(const WakeTimer&) = delete;
    WakeTimer& operator=(const WakeTimer&) = delete;

    /// Readable from then on. The same number on every run, whatever else the process has open; another
    /// one where so high a number is not allowed.
    int fd() const noexcept { return fd_; }
    /// By the thread that waits: readable when the clock says `until` (ns; kNever: not by itself). A system call, but
    /// not if that is set already.
    void set(std::uint64_t until) noexcept;
    /// By any thread: readable now.
    void call() noexcept;
    /// By the thread that waits: silent, if it was readable.
    void drain() noexcept;
    /// How often it was set or called: a system call each.
    std::uint64_t times_set() const noexcept { return times_set_.load(std::memory_order_relaxed); }
    /// In a forked child: another one under the same number.
    void replace_after_fork() noexcept;

  private:
    void tell_kernel(std::uint64_t until) noexcept;

    int fd_;
    std::uint64_t set_for_ = kit::kNever;
    std::atomic<bool> called_{false};
    std::atomic<std::uint64_t> times_set_{0};
};

}  // namespace fiberscope::lab05
