// Given: a descriptor that ends a wait in epoll without a time-out: it becomes readable at a given time, or when
// another thread asks for it, like netco's Timer (a timerfd). Lab 06, step 6.4, builds the rest of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "labs/kit/time/never.h"

namespace fiberscope::lab05 {

/// How a wait is ended: by epoll's time-out and an eventfd, or by a timerfd for both (netco).
enum class TimeBy : std::uint8_t { timeout, descriptor };

class WakeTimer {
  public:
    /// Throws std::system_error if the timerfd cannot be created.
    WakeTimer();
    ~WakeTimer();
    WakeTimer(const WakeTimer&) = delete;
    WakeTimer& operator=(const WakeTimer&) = delete;

    /// The timerfd. Has the same number on every run, whatever other descriptors the process has, unless the limit does
    /// not allow such a high number.
    int fd() const noexcept { return fd_; }
    /// Called by the waiting thread: makes the descriptor readable at `until` (ns; kNever disarms it). Makes a system
    /// call unless it is already set to that time.
    void set(std::uint64_t until) noexcept;
    /// Called by any thread: makes it readable now.
    void call() noexcept;
    /// Called by the waiting thread: resets it if it was readable.
    void drain() noexcept;
    /// Number of system calls made to set it.
    std::uint64_t times_set() const noexcept { return times_set_.load(std::memory_order_relaxed); }
    /// In a forked child: replaces it by a new one with the same number.
    void replace_after_fork() noexcept;

  private:
    void tell_kernel(std::uint64_t until) noexcept;

    int fd_;
    std::uint64_t set_for_ = kit::kNever;
    std::atomic<bool> called_{false};
    std::atomic<std::uint64_t> times_set_{0};
};

}  // namespace fiberscope::lab05
