// Step 5.4: sylar's IO manager: a function, or the task that runs, for an event of a descriptor; and functions from
// other threads. On one thread, or on the machines of sylar's scheduler (lab 04, step 4.6).
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

/// Stands on the scheduler of the thread that makes it, whose source is `source`. An event is added for once: when it
/// comes, it is triggered and forgotten. Called by the scheduler's tasks, on whichever machine; schedule(), tickle()
/// and stop() also by any other thread.
class IOManager {
  public:
    using Callback = std::function<void()>;

    /// Begins the idle task, which lives until stop() has been called and nothing is pending. Throws std::system_error
    /// if there is no descriptor for the tickle.
    explicit IOManager(EpollSource& source);
    /// Whatever is pending is forgotten, and triggered no more. No machine runs any more.
    ~IOManager();
    IOManager(const IOManager&) = delete;
    IOManager& operator=(const IOManager&) = delete;

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// When `fd` can be read or written: a task for `callback`; or, without one, the task that calls this is woken from
    /// its wait_event. False if there is such an event for `fd` already. A descriptor that epoll refuses (a file, a
    /// number that is not open) is always ready; io::close triggers all its events.
    bool add_event(int fd, Want event, Callback callback = {});
    /// Leaves the processor until the event that this task has added is triggered; at once if it has been already, by
    /// another machine, or there is no such event of this task's. `cancelled` if lab04::cancel has ended the wait: then
    /// the event is deleted.
    Wake wait_event(int fd, Want event);
    /// Forgets the event. False if there is none.
    bool delete_event(int fd, Want event);
    /// Triggers the event now, although nothing has happened, so that a task that waits learns that it is over. False
    /// if there is none.
    bool cancel_event(int fd, Want event);
    /// Both. False if there is neither.
    bool cancel_all(int fd);

    /// A task for `callback`. They begin in the order of the calls.
    void schedule(Callback callback);
    /// Ends the idle task's wait: it looks around again.
    void tickle() noexcept;
    /// From now on the manager is at its end when no event is pending and no timer set. What was scheduled before is
    /// begun still.
    void stop();

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Events that were added and have not come yet.
    std::size_t pending();
    /// A task for `callback`, `ns` from now. One that stands before all others tickles: the idle task waits for the
    /// first. sylar's addTimer, with onTimerInsertedAtFront.
    TimerKey add_timer(std::uint64_t ns, Callback callback);
    /// Forgets the timer. False if its callback has been begun, or it was cancelled.
    bool cancel_timer(const TimerKey& timer);

  private:
    /// One direction of one descriptor. sylar's EventContext.
    struct EventContext : PollItem {  // which is watched while the event is pending
        IOManager* manager = nullptr;
        bool added = false;
        Callback callback;     ///< or
        lab04::Handle owner;   ///< whose event it is,
        bool awaited = false;  ///< and whether that one has parked in wait_event
        std::string reason;    ///< for which its owner parks
        /// `event` if a poll has returned it, `signal` if it was cancelled or its descriptor closed.
        lab04::Cause woken_by = lab04::Cause::signal;
    };
    /// sylar's FdContext.
    struct FdContext {
        EventContext read, write;
    };

    // What the student writes.
    /// The life of the idle task: begins what was scheduled and the timers that are due, and waits for a tickle, or
    /// until the first timer is due; until it is at its end.
    void idle();
    /// The event has come, or was cancelled: forgets it, then a task for the callback, or its owner is woken.
    void trigger(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());
    /// It is pending no longer. The last one of a manager that is to stop tickles.
    void forget(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());
    /// Forgets it, and what was to be done.
    void drop(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());

    // Given. `lab04::SchedulerLock held(scheduler_.shared());` takes the scheduler's lock, which guards the contexts
    // too. The calls of lab 04 (go, wake, …) take it themselves.
    EventContext& context(int fd, Want event) KIT_REQUIRES(scheduler_.shared().lock());  ///< stays where it is
    void begin_idle() KIT_REQUIRES(scheduler_.shared().lock());
    /// From now on, until unwatched, an event triggers it; at once if epoll refuses the descriptor (see EpollSource).
    /// If the idle task has ended already, there is one again.
    void watch(EventContext& context, int fd, Want event) KIT_REQUIRES(scheduler_.shared().lock());
    void unwatch(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock()) { source_.unwatch_held(context); }
    /// A task for `callback`.
    void begin(Callback callback, const char* name) KIT_REQUIRES(scheduler_.shared().lock()) {
        scheduler_.shared().go(std::move(callback), {.name = name});
    }
    /// ns from now until the first timer is due; kNever: none is set.
    std::uint64_t until_first_timer();
    /// Its owner goes on, if it is parked in wait_event.
    void wake_owner(EventContext& context) KIT_REQUIRES(scheduler_.shared().lock());
    /// The owner leaves the processor. The lock is released when it has left, so that no machine looks for it in vain,
    /// and held again when it goes on. How it was woken.
    Wake park_owner(EventContext& context, lab04::SchedulerLock& held) KIT_REQUIRES(scheduler_.shared().lock());

    EpollSource& source_;
    lab04::Scheduler& scheduler_;
    std::map<int, FdContext> contexts_;
    std::size_t pending_ = 0;
    bool idles_ = false;  ///< there is an idle task, which will look around again before it ends
    int tickle_fd_ = -1;  ///< an eventfd; sylar has a pipe

    std::mutex mutex_;  ///< what follows is for other threads too, which know nothing of the scheduler's lock
    std::vector<Callback> scheduled_;
    IoTimers timers_;
    bool stopping_ = false;
};

}  // namespace fiberscope::lab05
