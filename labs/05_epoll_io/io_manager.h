// Step 5.4: sylar's IO manager: a function, or the task that runs, for an event of a descriptor; and functions from other
// threads. On one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/epoller.h"

namespace fiberscope::lab05 {

/// Stands on the scheduler of the thread that makes it, whose source is `source`. An event is added for once: when it comes,
/// it is triggered and forgotten. All calls are that thread's, but for schedule(), tickle() and stop().
class IOManager {
  public:
    using Callback = std::function<void()>;

    /// Begins the idle task, which lives until stop() has been called and nothing is pending. Throws std::system_error if there
    /// is no descriptor for the tickle.
    explicit IOManager(EpollSource& source);
    /// Whatever is pending is forgotten, and triggered no more.
    ~IOManager();
    IOManager(const IOManager&) = delete;
    IOManager& operator=(const IOManager&) = delete;

    // ---- what the student writes -----------------------------------------------------------------------------------------

    /// When `fd` can be read or written: a task for `callback`; or, without one, the task that calls this is woken, which
    /// should park then. False if there is such an event for `fd` already.
    bool add_event(int fd, Want event, Callback callback = {});
    /// Forgets the event. False if there is none.
    bool delete_event(int fd, Want event);
    /// Triggers the event now, although nothing has happened: whoever waits must be told that it is over. False if there is
    /// none.
    bool cancel_event(int fd, Want event);
    /// Both. False if there is neither.
    bool cancel_all(int fd);

    /// A task for `callback`. From any thread.
    void schedule(Callback callback);
    /// Ends the idle task's wait: it looks around again. From any thread.
    void tickle() noexcept;
    /// From now on the manager is at its end when no event is pending. What was scheduled before is begun still. From any
    /// thread.
    void stop();

    // ---- what is given ---------------------------------------------------------------------------------------------------

    /// Events that were added and have not come yet.
    std::size_t pending() const noexcept { return pending_; }

  private:
    /// One direction of one descriptor. sylar's EventContext.
    struct EventContext : PollItem {  // which is watched while the event is pending
        IOManager* manager = nullptr;
        bool added = false;
        Callback callback;   ///< or
        lab04::Handle task;  ///< whom to wake
    };
    /// sylar's FdContext.
    struct FdContext {
        EventContext read, write;
    };

    // What the student writes.
    /// The life of the idle task: begins what was scheduled, and waits for a tickle; until it is at its end.
    void idle();
    /// The event has come, or was cancelled: forgets it, then a task for the callback, or the task is woken.
    void trigger(EventContext& context);
    /// It is pending no longer. The last one of a manager that is to stop tickles.
    void forget(EventContext& context);

    // Given.
    EventContext& context(int fd, Want event);  ///< stays where it is
    void begin_idle();
    /// From now on, until unwatched, an event triggers it. If the idle task has ended already, there is one again.
    void watch(EventContext& context, int fd, Want event);
    void unwatch(EventContext& context) { source_.unwatch(context); }

    EpollSource& source_;
    std::map<int, FdContext> contexts_;
    std::size_t pending_ = 0;
    int tickle_fd_ = -1;  ///< an eventfd; sylar has a pipe
    lab04::Handle idle_;

    std::mutex mutex_;  ///< what follows is for other threads too
    std::vector<Callback> scheduled_;
    bool stopping_ = false;
};

}  // namespace fiberscope::lab05
