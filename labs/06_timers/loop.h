// Step 6.5: timers in a loop that also waits for descriptors.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/06_timers/manager.h"

namespace fiberscope::lab06 {

/// Returns the timeout, ms, of an epoll_wait that shall end at `until`, rounded up; -1 for kNever, 0 if `until` has
/// passed. A timeout that does not fit into an int is clamped; the caller then waits again.
int timeout_for(std::uint64_t now, std::uint64_t until);

/// Epoll as an event source of lab 04; lab 05 builds a complete one. Level-triggered. Watches only what tasks wait for.
class TimedSource : public lab04::EventSource {
  public:
    /// Throws std::system_error if no epoll descriptor can be created.
    TimedSource();
    ~TimedSource() override;
    TimedSource(const TimedSource&) = delete;
    TimedSource& operator=(const TimedSource&) = delete;

    /// Throws std::system_error if epoll cannot watch the descriptor.
    void watch(int fd, lab04::Want want) override;
    /// The descriptor may have been closed meanwhile.
    void unwatch(int fd, lab04::Want want) override;
    bool expects_any() const override { return !watchers_.empty(); }
    /// 6.5. Returns the pending events; if there are none, waits for one until `until`. Implements lab 04's contract.
    std::span<lab04::Event> wait(std::uint64_t until) override;

    /// The number of calls of epoll_wait.
    std::uint64_t looks() const noexcept { return looks_; }

  private:
    /// Given: calls epoll_wait once, for at most `timeout` ms. A signal may end it early, without events. Under the
    /// virtual clock it does not wait: if there are no events, time advances by the timeout, or to `until` if that is
    /// sooner.
    std::span<lab04::Event> look(int timeout, std::uint64_t until);

    using Wanted = std::pair<int, lab04::Want>;
    void tell_epoll(int fd, std::uint32_t before);
    bool forget(int fd, lab04::Want want);  // returns whether no task waits for it any more
    std::uint32_t wanted(int fd) const;
    void add_events(const epoll_event& event);

    int epoll_;
    std::map<Wanted, int> watchers_;
    std::vector<lab04::Event> events_;
    std::uint64_t looks_ = 0;
};

/// Calls a manager's alarms within the scheduler of this thread: a task repeatedly sleeps until the next deadline and
/// calls the alarms that are due. The task exists while alarms with a deadline are set; an earlier alarm wakes it. A
/// callback must not sleep or wait: it would delay all others, and a wake-up of the task would end its wait. Must be
/// destroyed after the scheduler, or when no alarm is set.
class TimerService {
  public:
    explicit TimerService(TimerManager& manager) : manager_(manager) {
        manager.when_first_changes([this] { first_changed(); });
    }
    ~TimerService() { manager_.when_first_changes({}); }
    TimerService(const TimerService&) = delete;
    TimerService& operator=(const TimerService&) = delete;

    /// Suspends the running task until an alarm of the manager, `ns` from now. Returns `timeout` if the alarm came,
    /// otherwise how the task was woken.
    lab04::Wake sleep_for(std::uint64_t ns);
    TimerManager& manager() noexcept { return manager_; }
    /// Given: the service's task; empty before the first alarm.
    const lab04::Handle& task() const noexcept { return task_; }

  private:
    /// 6.5. The function of the task: calls the alarms that are due, then sleeps until the next deadline, and repeats
    /// as long as there is one. Calls first, because a run in which a callback has thrown may have left due alarms,
    /// which have no deadline.
    void serve();
    /// 6.5. Called when an alarm has become the first or the last one is gone. Wakes the task; if there is none and an
    /// alarm has a deadline, starts it.
    void first_changed();

    /// Given: starts a task that calls serve. If a callback throws, that task fails and another one continues.
    void begin();

    TimerManager& manager_;
    lab04::Handle task_;
};

}  // namespace fiberscope::lab06
