// Given: prefetches the memory of the tasks that run next, while this one runs. Among 100,000 ready tasks, or a
// thousand connections, a task's memory has been evicted from the nearer caches before its next turn. No step needs
// this; without it a yield among 100,000 costs three times as much.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "labs/04_scheduler/event_source.h"

namespace fiberscope::lab04 {

struct Task;

/// Everything here is a guess: addresses are prefetched and never dereferenced, because a task may no longer exist.
class StackPrefetcher {
  public:
    /// Called before `task` runs; `queue` is the ready queue, without `task`.
    template <class Queue>
    void before_resume(const Task& task, const Queue& queue) {
        if (queue.size() >= kLong) [[unlikely]]
            fetch_ready(task, *queue.front(), queue.size());
    }

    /// Announces that the tasks for these events will probably run in this order. The events must stay valid until the
    /// next call.
    void expect(std::span<const Event> events) noexcept {
        coming_ = events;
        looked_up_ = 0;
    }
    /// Called when `task` begins to wait for its descriptor; `frame` is an address on its stack, near the frame in
    /// which it will continue.
    void on_wait(const Task& task, const void* frame);

  private:
    /// From this length on the tasks do not fit into the nearer caches.
    static constexpr std::size_t kLong = 1000;

    struct Place {
        const Task* task = nullptr;
        const std::byte* frame = nullptr;
    };

    void fetch_ready(const Task& task, const Task& next, std::size_t queued);
    Place place_of(const Event& event) const noexcept;
    void fetch_waiter() noexcept;
    void look_up_group() noexcept;

    std::vector<const Task*> turns_;  ///< ring buffer: the tasks of the last round, in the order of their turns
    std::size_t turn_ = 0;
    std::vector<Place> places_;  ///< by descriptor: the latest task to wait for it
    std::span<const Event> coming_;
    std::size_t looked_up_ = 0;  ///< number of coming events whose addresses have been prefetched
};

}  // namespace fiberscope::lab04
