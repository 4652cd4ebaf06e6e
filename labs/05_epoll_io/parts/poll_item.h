// Given: entries for tasks that wait for several descriptors, and the lock that guards them.
#pragma once

#include <sys/epoll.h>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "labs/04_scheduler/machines.h"

namespace fiberscope::lab05 {

using lab04::Task;

/// Step 5.3: one of several descriptors that a task waits for; the first event of any of them wakes it. libco's
/// stPollItem_t.
struct PollItem {
    int fd = -1;
    std::uint32_t events = 0;  ///< EPOLLIN, EPOLLOUT and so on; never 0
    Task* task = nullptr;
    /// Called for an event; null wakes the task. It may unwatch this item only. libco's pfnProcess.
    void (*fired)(PollItem& item, lab04::Cause cause) = nullptr;
    PollItem* next = nullptr;
    PollItem* before = nullptr;
    bool closed = false;  ///< closed while it was watched; the number may have been reused
    bool came = false;    ///< one of the events arrived while it was watched
};

/// State of a descriptor number in an event source.
struct WatchedNumber {
    std::uint32_t armed = 0;  ///< events registered with the poller; 0: not registered
    // With several machines: the events that the kernel has, updated after the lock is released
    // (deferred_epoll_ctl.cpp).
    std::uint32_t told = 0;
    std::uint16_t closers = 0;  ///< threads currently closing it
    bool is_being_told = false;
    bool is_known = true;  ///< false: forgotten since, so the state in the kernel is unknown
    std::uint32_t readers = 0;
    std::uint32_t writers = 0;
    std::uint32_t closings = 0;
    std::uint32_t generation = 0;  ///< generation of the number when it was last forgotten
    bool drained = false;
    PollItem* items = nullptr;

    bool is_settled() const noexcept { return is_known && told == armed && !is_being_told && closers == 0; }
};

/// Notifies the items of `descriptor` that wait for one of `events`. `cause`: `event` if a poll returned the events,
/// else `signal` (such as a close). To be called with the lock that guards the items.
void fire_items(WatchedNumber& descriptor, std::uint32_t events, lab04::Cause cause);

/// The state of all numbers, and the changes to pass to the kernel when the lock is released.
struct WatchedNumbers {
    std::vector<WatchedNumber> all;  ///< indexed by descriptor
    std::vector<int> changed;
    lab04::WorkerPool* loop = nullptr;  ///< whose lock guards all this; null: one machine, or the virtual clock

    /// Returns false if the kernel can be called now.
    bool defer_epoll_ctl(int fd) noexcept;
    bool is_settled(int fd) const noexcept {
        const auto index = static_cast<std::size_t>(fd);
        return loop == nullptr || index >= all.size() || all[index].is_settled();
    }
};

/// Events left by Epoller::wait_ahead for the next wait().
struct Ahead {
    static constexpr int kNothing = -1;
    int found = kNothing;  ///< number of events
    std::vector<epoll_event> events;
    std::atomic<bool> begun{false};  ///< a wait_ahead is in progress, or its events have not been taken
    std::vector<int> removed;        ///< descriptors removed in the meantime: their events are ignored

    void note_changed(int fd) noexcept {
        if (begun.load()) removed.push_back(fd);
    }
    /// Moves the events into `buffer` and returns their number.
    int take(std::vector<epoll_event>& buffer) noexcept;
};

/// Holds the lock of this thread's scheduler, if any, in a scope. The compiler cannot tell which scheduler it is, so
/// access to guarded data is not checked.
class HeldHere {
  public:
    HeldHere() KIT_UNCHECKED {
        if (lab04::Scheduler* scheduler = lab04::Scheduler::here()) held_.emplace(scheduler->shared());
    }

  private:
    std::optional<lab04::SchedulerLock> held_;
};

}  // namespace fiberscope::lab05
