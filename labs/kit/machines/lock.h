// A lock for short critical sections that a coroutine may take and the loop of its thread may release: a task that
// parks must hold the lock on the data that it has checked until it has yielded. A std::mutex would work too, but
// ThreadSanitizer takes every coroutine for a thread, and would report an unlock by another one.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "labs/kit/machines/choice.h"
#include "labs/kit/machines/thread_safety.h"

namespace fiberscope::kit {

/// Spin-wait hint: lets the processor pause in a loop that polls memory.
inline void pause_processor() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    asm volatile("yield" ::: "memory");
#endif
}

/// Not fair, not recursive. No switch or wait while it is held, except the switch that hands it to the loop.
class KIT_CAPABILITY("lock") Lock {
  public:
    void lock() noexcept KIT_ACQUIRE() {
        if (detail::locks_by_turns) [[unlikely]]
            return lock_by_turns();
        if (try_take()) [[likely]]
            return;
        for (int tries = 0; tries < kTries; ++tries) {
            if (is_free() && try_take()) return;
            pause_processor();
        }
        while (state_.exchange(kContended, std::memory_order_acquire) != kFree)
            state_.wait(kContended, std::memory_order_relaxed);
    }
    bool try_lock() noexcept KIT_TRY_ACQUIRE(true) {
        if (detail::locks_by_turns) [[unlikely]]
            return try_lock_by_turns();
        return try_take();
    }
    void unlock() noexcept KIT_RELEASE() {
        if (detail::locks_by_turns) [[unlikely]]
            return unlock_by_turns();
        if (state_.exchange(kFree, std::memory_order_release) == kContended) state_.notify_one();
    }

  private:
    friend class Machines;

    bool try_take() noexcept {
        std::uint32_t expected = kFree;
        return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
    }
    bool is_free() const noexcept { return state_.load(std::memory_order_relaxed) == kFree; }
    void lock_by_turns() noexcept KIT_ACQUIRE();
    bool try_lock_by_turns() noexcept KIT_TRY_ACQUIRE(true);
    void unlock_by_turns() noexcept KIT_RELEASE();

    static constexpr int kTries = 500;
    static constexpr std::uint32_t kFree = 0, kHeld = 1, kContended = 2;

    std::atomic<std::uint32_t> state_{kFree};
    std::uint32_t number_ = 0;  // ID from 1 if locks cost virtual time; 0: never taken
};

/// Holds a lock for its lifetime.
class KIT_SCOPED_CAPABILITY Guard {
  public:
    explicit Guard(Lock& lock) KIT_ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
    ~Guard() KIT_RELEASE() { lock_.unlock(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    Lock& lock_;
};

/// Holds two locks, acquired without deadlock even if threads name them in different order (as std::scoped_lock).
class KIT_SCOPED_CAPABILITY GuardOfTwo {
  public:
    GuardOfTwo(Lock& a, Lock& b) KIT_ACQUIRE(a, b) : a_(a), b_(b) { std::lock(a_, b_); }
    ~GuardOfTwo() KIT_RELEASE() {
        a_.unlock();
        b_.unlock();
    }
    GuardOfTwo(const GuardOfTwo&) = delete;
    GuardOfTwo& operator=(const GuardOfTwo&) = delete;

  private:
    Lock& a_;
    Lock& b_;
};

}  // namespace fiberscope::kit
