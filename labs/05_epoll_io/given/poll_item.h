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
    void (*fired)(PollItem& item) = nullptr;
    PollItem* next = nullptr;
    PollItem* before = nullptr;
    bool closed = false;  ///< while this was watched; the number may be that of another descriptor by now
};

/// What an Epoller's wait_ahead has left for its next wait().
struct Ahead {
    static constexpr int kNothing = -1;
    int found = kNothing;  ///< of the events
    std::vector<epoll_event> events;
    std::atomic<bool> begun{false};  ///< a wait_ahead goes on, or its events have not been taken
    std::vector<int> removed;        ///< descriptors that were taken out meanwhile: their events are void
};

/// Holds the lock of this thread's scheduler, if there is one, as long as it lives. Which scheduler it is, the compiler
/// does not know: what the lock guards is not checked.
class HeldHere {
  public:
    HeldHere() KIT_UNCHECKED {
        if (lab04::Scheduler* scheduler = lab04::Scheduler::here()) held_.emplace(scheduler->shared());
    }

  private:
    std::optional<lab04::Held> held_;
};

}  // namespace fiberscope::lab05
