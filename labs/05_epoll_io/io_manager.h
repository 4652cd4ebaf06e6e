// Step 5.4: sylar's IO manager: starts a callback, or wakes a task, for an event of a descriptor; and runs functions
// from other threads. On one thread, or on the machines of sylar's scheduler (lab 04, step 4.6).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/parts/io_timers.h"

namespace fiberscope::lab05 {

/// Uses the scheduler of the thread that constructs it, whose event source is `source`. Events are one-shot: an event
/// is removed when it is triggered. To be called by the scheduler's tasks, on any machine; schedule(), tickle() and
/// stop() also by other threads.
class IOManager {
  public:
    using Callback = std::function<void()>;

    /// Starts the idle task, which runs until stop() has been called and nothing is pending. Throws std::system_error
    /// if there is no descriptor for the tickle.
    explicit IOManager(EpollSource& source);
    /// Drops pending events without triggering them. No machine may run any more.
    ~IOManager();
    IOManager(const IOManager&) = delete;
    IOManager& operator=(const IOManager&) = delete;

    // ---- written by the student -------------------------------------------------------------------------------------

    /// Adds an event: when `fd` is readable or writable, starts a task for `callback`; or, without a callback, wakes
    /// the calling task from its wait_event. Returns false if `fd` already has such an event. A descriptor that epoll
    /// refuses (a file, a number that is not open) is always ready; io::close triggers all its events.
    bool add_event(int fd, Want event, Callback callback = {});
    /// Yields until the event that this task has added is triggered. Returns immediately if another machine has
    /// triggered it already, or if this task has no such event. Returns `cancelled` and deletes the event if
    /// lab04::cancel ended the wait.
    Wake wait_event(int fd, Want event);
    /// Removes the event without triggering it. Returns false if there is none.
    bool delete_event(int fd, Want event);
    /// Removes and triggers the event although nothing has happened, so that a waiting task is woken. Returns false if
    /// there is none.
    bool cancel_event(int fd, Want event);
    /// Cancels both directions. Returns false if there is no event.
    bool cancel_all(int fd);

    /// Starts a task for `callback`. Tasks start in the order of the calls.
    void schedule(Callback callback);
    /// Ends the idle task's wait, so that it checks its queues again.
    void tickle() noexcept;
    /// Ends the manager as soon as no event is pending and no timer is set. Functions scheduled before still run.
    void stop();

    // ---- given ------------------------------------------------------------------------------------------------------

    /// Number of events added but not yet triggered.
    std::size_t pending();
    /// Starts a task for `callback` in `ns`. A timer that becomes the first one tickles, because the idle task waits
    /// for the first timer. sylar's addTimer, with onTimerInsertedAtFront.
    TimerKey add_timer(std::uint64_t ns, Callback callback);
    /// Returns false if the callback has started or was cancelled before.
    bool cancel_timer(const TimerKey& timer);

  private:
    /// One direction of one descriptor. sylar's EventContext.
    struct EventContext : PollItem {  // watched while the event is pending
        IOManager* manager = nullptr;
        bool added = false;
        Callback callback;     ///< or, if empty:
        lab04::Handle owner;   ///< the task whose event it is,
        bool awaited = false;  ///< and whether it is parked in wait_event
        std::string reason;    ///< recorded when the owner parks
        /// `event` if returned by a poll, `signal` if it was cancelled or its descriptor closed.
        lab04::Cause woken_by = lab04::Cause::signal;
    };
    /// sylar's FdContext.
    struct FdContext {
        EventContext read, write;
    };

    // Written by the student.
    /// Body of the idle task: starts scheduled functions and expired timers, then waits for a tickle or the first
    /// timer; until the manager has ended.
    void idle();
    /// Forgets an event that has arrived or was cancelled, then starts a task for its callback or wakes its owner.
    void trigger(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());
    /// Marks the event as no longer pending. If the manager is stopping and this was the last one, tickles.
    void forget(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());
    /// Forgets the event, its callback and its owner.
    void drop(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());

    // Given. `lab04::SchedulerLock held(scheduler_.shared());` acquires the scheduler's lock, which also guards the
    // contexts. The functions of lab 04 (go, wake, …) acquire it themselves.
    EventContext& context(int fd, Want event) KIT_REQUIRES(scheduler_.shared().lock());  ///< address-stable
    void begin_idle() KIT_REQUIRES(scheduler_.shared().lock());
    /// From now on, until unwatched, an event of the descriptor triggers the context; at once if epoll refuses the
    /// descriptor (see EpollSource). Starts a new idle task if the last one has ended.
    void watch(EventContext& context, int fd, Want event) KIT_REQUIRES(scheduler_.shared().lock());
    void unwatch(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock()) { source_.unwatch_held(context); }
    /// Starts a task for `callback`.
    void begin(Callback callback, const char* name) KIT_REQUIRES(scheduler_.shared().lock()) {
        scheduler_.shared().go(std::move(callback), {.name = name});
    }
    /// Time in ns until the first timer is due; kNever if none is set.
    std::uint64_t until_first_timer();
    /// Wakes the owner if it is parked in wait_event.
    void wake_owner(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());
    /// Parks the owner. Releases the lock only when the owner has left the processor, so that no other machine misses
    /// it, and reacquires it before returning how the owner was woken.
    Wake park_owner(EventContext& context, lab04::SchedulerLock& held) KIT_REQUIRES(scheduler_.shared().lock());

    EpollSource& source_;
    lab04::Scheduler& scheduler_;
    std::map<int, FdContext> contexts_;
    std::size_t pending_ = 0;
    bool idles_ = false;  ///< an idle task exists, and will check the queues again before it ends
    int tickle_fd_ = -1;  ///< an eventfd; a pipe in sylar

    std::mutex mutex_;  ///< guards the following, which threads without the scheduler's lock access too
    std::vector<Callback> scheduled_;
    IoTimers timers_;
    bool stopping_ = false;
};

}  // namespace fiberscope::lab05
