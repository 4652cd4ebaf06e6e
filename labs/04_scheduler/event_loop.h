// Step 4.9: libco's event loop as a strategy. There is a main coroutine, the thread's own context, which runs the loop
// and never yields; all others are bound to this thread. What the loop handles are items (stTimeoutItem_t in libco;
// here a Task): each carries the two functions that the loop calls for it.
#pragma once

#include <cstdint>
#include <functional>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/kit/sets/queue.h"

namespace fiberscope::lab04 {

/// ns. The time-out store is asked by ticks: a task whose deadline lies in a tick that has begun is taken out of it, as
/// a slot of a wheel is emptied. libco's tick is a millisecond.
inline constexpr std::uint64_t kTick = 1000;

using TimeoutList = kit::Queue<Task, &Task::ready_next>;

/// 4.9. The prepare function of every item, unless it is given another: an event has come for `task`, which
/// waits. Takes it out of the sets and into the active list (as OnPollPreparePfn). Runs none.
void on_poll_prepare(Scheduler& scheduler, Task& task, const Event& event);
/// 4.9. The process function of every item, unless it is given another: the turn of `task` has come, and it is in
/// no list any more. Resumes it (as OnPollProcessEvent).
void on_poll_process(Scheduler& scheduler, Task& task);

/// The active list is the scheduler's ready queue; the time-out store is its sleep tree (lab 06 builds libco's wheel).
class EventLoop : public Strategy {
  public:
    /// 4.9. Gives a new task its two functions, binds it to this thread, and puts it at the end of the active list.
    void make_new_ready(Scheduler& scheduler, Task& task) override;
    /// 4.9. As co_eventloop. Ends when no task is alive, or when the function of each round has returned -1: then those
    /// that are alive go on at the next run.
    void run(Scheduler& scheduler) override;

    /// `function` is called at the end of every round, by the main coroutine. -1 ends the loop; anything else lets it
    /// go on. It may make and wake tasks. What it throws comes out of run. Empty: none is called. There is a round
    /// whenever a task can run or a time has come; libco's loop wakes each millisecond, and so calls it then too.
    void on_round(std::function<int()> function) { each_round_ = std::move(function); }

  private:
    /// 4.9. Out of the store, into the time-out list: all whose deadline lies in the tick of `now` or in an earlier one
    /// (as TakeAllTimeout). Some of these are not yet due.
    void take_all_timeouts(Scheduler& scheduler, std::uint64_t now);
    /// 4.9. Empties the time-out list, from its first on: a task that is due at `now` is told `timeout` and joins the
    /// active list; one that is not goes back into the store.
    void join_timeouts(Scheduler& scheduler, std::uint64_t now);

    TimeoutList timeouts_{"time-outs", trace::Role::sleep};
    std::function<int()> each_round_;
};

/// The loop of a scheduler whose strategy is "libco". Throws std::logic_error if it is another.
EventLoop& event_loop_of(Scheduler& scheduler);

}  // namespace fiberscope::lab04
