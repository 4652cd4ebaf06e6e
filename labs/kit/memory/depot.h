// Memory that one thread uses and another releases: each thread keeps blocks for its next use, and a depot that all
// share takes what one has too many of and gives it to one that has none. Else it would be got from the system here and
// given back there, and threads would meet at the lock of the heap.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace fiberscope::kit {

/// At most `Most` blocks of one size. For a variable with static storage: what is in it at the end of the process stays
/// there.
template <std::size_t Most>
class Depot {
  public:
    /// Moves up to `count` blocks out of `blocks` to here, as far as there is room.
    void give(std::vector<std::byte*>& blocks, std::size_t count) noexcept {
        const std::lock_guard lock(mutex_);
        for (; count > 0 && size_ < Most; --count, blocks.pop_back()) free_[size_++] = blocks.back();
        known_size_.store(size_, std::memory_order_relaxed);
    }
    /// Moves up to `count` blocks to `blocks`, which has room for them.
    void take(std::vector<std::byte*>& blocks, std::size_t count) noexcept {
        if (size() == 0) return;
        const std::lock_guard lock(mutex_);
        for (; count > 0 && size_ > 0; --count) blocks.push_back(free_[--size_]);
        known_size_.store(size_, std::memory_order_relaxed);
    }
    std::size_t size() const noexcept { return known_size_.load(std::memory_order_relaxed); }

  private:
    std::mutex mutex_;
    std::array<std::byte*, Most> free_{};
    std::size_t size_ = 0;
    std::atomic<std::size_t> known_size_{0};
};

}  // namespace fiberscope::kit
