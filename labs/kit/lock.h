// A lock for a few lines, which a coroutine may take and the loop of its thread release: who parks must let go of what he
// has looked at only after he has left. A std::mutex could do the same; ThreadSanitizer, for which every coroutine is a
// thread, would not believe it.
#pragma once

#include <atomic>
#include <cstdint>

namespace fiberscope::kit {

/// Not fair, not recursive. No switch and no wait while it is held, other than the one that hands it to the loop.
class Lock {
  public:
    void lock() noexcept {
        for (int tries = 0; tries < kTries; ++tries)
            if (try_lock()) return;
        while (state_.exchange(kContended, std::memory_order_acquire) != kFree)
            state_.wait(kContended, std::memory_order_relaxed);
    }
    bool try_lock() noexcept {
        std::uint32_t expected = kFree;
        return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
    }
    void unlock() noexcept {
        if (state_.exchange(kFree, std::memory_order_release) == kContended) state_.notify_one();
    }

  private:
    static constexpr int kTries = 100;
    static constexpr std::uint32_t kFree = 0, kHeld = 1, kContended = 2;

    std::atomic<std::uint32_t> state_{kFree};
};

}  // namespace fiberscope::kit
