// Step 6.5: timers in a loop that also waits for descriptors: how long may it wait?
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

/// The time-out of an epoll_wait that is to end when the clock says `until`, ms: never too short; -1 for kNever, 0 if
/// it is `until` already. What is too long for an int is the longest there is; a task woken by that waits again.
int timeout_for(std::uint64_t now, std::uint64_t until);

/// Epoll as lab 04's source of events; lab 05 builds a whole one. Level-triggered: what a task waits for is watched,
/// and nothing else.
class TimedSource : public lab04::EventSource {
  public:
    /// Throws std::system_error if the kernel gives no epoll descriptor.
    TimedSource();
    ~TimedSource() override;
    TimedSource(const TimedSource&) = delete;
    TimedSource& operator=(const TimedSource&) = delete;

    /// Throws std::system_error for what epoll cannot watch, and then does not watch it.
    void watch(int fd, lab04::Want want) override;
    /// Also of one that was closed meanwhile.
    void unwatch(int fd, lab04::Want want) override;
    bool expects_any() const override { return !watchers_.empty(); }
    /// 6.5. As lab 04 wants it: the events that are there; if there are none, waits until one comes or it is `until`.
    std::span<lab04::Event> wait(std::uint64_t until) override;

    /// How often the kernel was asked.
    std::uint64_t looks() const noexcept { return looks_; }

  private:
    /// Given: one epoll_wait, for `timeout` ms at most. A signal may end it early, with nothing. Under the virtual
    /// clock it does not wait: if nothing is there, time jumps on by the time-out, or to `until` if that is sooner.
    std::span<lab04::Event> look(int timeout, std::uint64_t until);

    using Wanted = std::pair<int, lab04::Want>;
    void tell_epoll(int fd, std::uint32_t before);
    bool forget(int fd, lab04::Want want);  // whether no task waits for it any more
    std::uint32_t wanted(int fd) const;
    void add_events(const epoll_event& event);

    int epoll_;
    std::map<Wanted, int> watchers_;
    std::vector<lab04::Event> events_;
    std::uint64_t looks_ = 0;
};

/// Calls a manager's alarms within the scheduler of this thread: a task sleeps until the next deadline, calls what is
/// due, and so on. It is there while alarms are set; one that is set to an earlier moment wakes it. Alarms with no
/// deadline do not keep it. A callback must not sleep or wait: all others wait for it, and what wakes the task would
/// end its wait. Must be destroyed after the scheduler, or when nothing is set.
class TimerService {
  public:
    explicit TimerService(TimerManager& manager) : manager_(manager) {
        manager.when_first_changes([this] { first_changed(); });
    }
    ~TimerService() { manager_.when_first_changes({}); }
    TimerService(const TimerService&) = delete;
    TimerService& operator=(const TimerService&) = delete;

    /// The running task waits for an alarm of the manager, `ns` from now. `timeout` when it came; else how it was
    /// woken.
    lab04::Wake sleep_for(std::uint64_t ns);
    TimerManager& manager() noexcept { return manager_; }
    /// Given: the task; empty before the first alarm.
    const lab04::Handle& task() const noexcept { return task_; }

  private:
    /// 6.5. What the task does: calls what is due, and sleeps until the next deadline, as long as there is one. It
    /// calls before it asks for one: of a run in which a callback has thrown, alarms may be left that no deadline
    /// stands for.
    void serve();
    /// 6.5. An alarm stands before all others, or there is none any more: wakes the task; if it is not there, and there
    /// is something to be called, begins it.
    void first_changed();

    /// Given: begins a task that serves. If a callback throws, that task has failed, and another goes on.
    void begin();

    TimerManager& manager_;
    lab04::Handle task_;
};

}  // namespace fiberscope::lab06
