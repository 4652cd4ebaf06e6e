// Given: what a task waits for when it waits for several descriptors, and the lock that guards it.
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
    std::uint32_t events = 0;  ///< EPOLLIN, EPOLLOUT and the like; never 0
    Task* task = nullptr;
    /// What an event does: null wakes the task. It may unwatch this item, and no other. libco's pfnProcess.
    void (*fired)(PollItem& item, lab04::Cause cause) = nullptr;
    PollItem* next = nullptr;
    PollItem* before = nullptr;
    bool closed = false;  ///< while this was watched; the number may be that of another descriptor by now
    bool came = false;    ///< one of the events, while this was watched
};

/// What a source knows of a descriptor.
struct WatchedNumber {
    std::uint32_t armed = 0;  ///< the events that the poller is told; 0: it is not registered
    // While several machines run: what the kernel has been told so far, behind the lock (deferred_epoll_ctl.cpp).
    std::uint32_t told = 0;
    std::uint16_t closers = 0;  ///< threads that are closing it
    bool is_being_told = false;
    bool is_known = true;  ///< false: it was forgotten since, and what the kernel has is not sure
    std::uint32_t readers = 0;
    std::uint32_t writers = 0;
    std::uint32_t closings = 0;
    std::uint32_t generation = 0;  ///< of the number, when it was last forgotten
    bool drained = false;
    PollItem* items = nullptr;

    bool is_settled() const noexcept { return is_known && told == armed && !is_being_told && closers == 0; }
};

/// Tells the items of `descriptor` that wait for one of `events`; `cause`: `event` if a poll has returned these, else
/// `signal` (the descriptor is closed, say). With the lock that guards them.
void fire_items(WatchedNumber& descriptor, std::uint32_t events, lab04::Cause cause);

/// All of them, and those of which the kernel is to be told when the lock is released.
struct WatchedNumbers {
    std::vector<WatchedNumber> all;  ///< by descriptor
    std::vector<int> changed;
    lab04::WorkerPool* loop = nullptr;  ///< whose lock guards all this; null: one machine, or the virtual clock

    /// False: the kernel can be told now.
    bool defer_epoll_ctl(int fd) noexcept;
    bool is_settled(int fd) const noexcept {
        const auto index = static_cast<std::size_t>(fd);
        return loop == nullptr || index >= all.size() || all[index].is_settled();
    }
};

/// What an Epoller's wait_ahead has left for its next wait().
struct Ahead {
    static constexpr int kNothing = -1;
    int found = kNothing;  ///< of the events
    std::vector<epoll_event> events;
    std::atomic<bool> begun{false};  ///< a wait_ahead goes on, or its events have not been taken
    std::vector<int> removed;        ///< descriptors that were taken out meanwhile: their events are void

    void note_changed(int fd) noexcept {
        if (begun.load()) removed.push_back(fd);
    }
    /// How many events go into `buffer`; nothing is left.
    int take(std::vector<epoll_event>& buffer) noexcept;
};

/// Holds the lock of this thread's scheduler, if there is one, as long as it lives. Which scheduler it is, the compiler
/// does not know: what the lock guards is not checked.
class HeldHere {
  public:
    HeldHere() KIT_UNCHECKED {
        if (lab04::Scheduler* scheduler = lab04::Scheduler::here()) held_.emplace(scheduler->shared());
    }

  private:
    std::optional<lab04::SchedulerLock> held_;
};

}  // namespace fiberscope::lab05
