// Given: asks the processor for the memory of the tasks that run next, while this one runs. Among 100,000 ready tasks,
// or a thousand connections, a task's memory has left the nearer caches before its next turn. No step needs this;
// without it a yield among 100,000 costs three times as much.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "labs/04_scheduler/event_source.h"

namespace fiberscope::lab04 {

struct Task;

/// Everything in here is a guess: addresses are asked for and never followed, because a task may be gone.
class StackPrefetcher {
  public:
    /// `task` is about to run; `queue` is the ready queue, which it has left.
    template <class Queue>
    void before_resume(const Task& task, const Queue& queue) {
        if (queue.size() >= kLong) [[unlikely]]
            fetch_ready(task, *queue.front(), queue.size());
    }

    /// The tasks that these events are for will run in this order, if nothing comes between. They must stay until the
    /// next call.
    void expect(std::span<const Event> events) noexcept {
        coming_ = events;
        looked_up_ = 0;
    }
    /// `task` begins to wait for its descriptor; `frame` is an address on its stack, near where it will go on.
    void on_wait(const Task& task, const void* frame);

  private:
    /// From here on the tasks do not fit into the processor's nearer caches together.
    static constexpr std::size_t kLong = 1000;

    struct Place {
        const Task* task = nullptr;
        const std::byte* frame = nullptr;
    };

    void fetch_ready(const Task& task, const Task& next, std::size_t queued);
    Place place_of(const Event& event) const noexcept;
    void fetch_waiter() noexcept;
    void look_up_group() noexcept;

    std::vector<const Task*> turns_;  ///< a ring: the tasks of the last round, in the order of their turns
    std::size_t turn_ = 0;
    std::vector<Place> places_;  ///< by descriptor: the task that began to wait for it last
    std::span<const Event> coming_;
    std::size_t looked_up_ = 0;  ///< of how many events to come the addresses are asked for already
};

}  // namespace fiberscope::lab04
