// A store of free memory blocks for threads that allocate and threads that release: each thread caches blocks, and a
// shared depot takes surplus blocks from one thread and gives them to another. Otherwise blocks would be allocated from
// and returned to the system, and threads would contend for the lock of the heap.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace fiberscope::kit {

/// Holds at most `Most` blocks of one size. For variables with static storage duration: blocks still in it at the end
/// of the process are not freed.
template <std::size_t Most>
class Depot {
  public:
    /// Moves up to `count` blocks from `blocks` into the depot, as long as there is room.
    void give(std::vector<std::byte*>& blocks, std::size_t count) noexcept {
        const std::lock_guard lock(mutex_);
        for (; count > 0 && size_ < Most; --count, blocks.pop_back()) free_[size_++] = blocks.back();
        known_size_.store(size_, std::memory_order_relaxed);
    }
    /// Moves up to `count` blocks from the depot to `blocks`, which must have room for them.
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
