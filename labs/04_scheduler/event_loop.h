// Step 4.9: libco's event loop as a strategy. There is a main coroutine, the thread's own context, which runs the loop
// and never yields; all others are bound to this thread. The loop handles items (stTimeoutItem_t in libco; here a
// Task), each with the two functions that the loop calls for it.
#pragma once

#include <cstdint>
#include <functional>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/kit/sets/queue.h"

namespace fiberscope::lab04 {

/// Granularity of the time-out store, ns: all tasks whose deadline is within a tick that has begun are taken out
/// together, as a slot of a timing wheel is emptied. libco's tick is a millisecond.
inline constexpr std::uint64_t kTick = 1000;

using TimeoutList = kit::Queue<Task, &Task::ready_next>;

/// 4.9. Default prepare function of an item: an event has arrived for the waiting `task`. Removes it from its sets and
/// appends it to the active list (as OnPollPreparePfn). Does not resume it.
void on_poll_prepare(Scheduler& scheduler, Task& task, const Event& event);
/// 4.9. Default process function of an item: it is the turn of `task`, which is no longer in any list. Resumes it (as
/// OnPollProcessEvent).
void on_poll_process(Scheduler& scheduler, Task& task);

/// The active list is the scheduler's ready queue; the time-out store is its sleep tree (lab 06 builds libco's wheel).
class EventLoop : public Strategy {
  public:
    /// 4.9. Sets the two functions of a new task, binds it to this thread, and appends it to the active list.
    void make_new_ready(Scheduler& scheduler, Task& task) override;
    /// 4.9. As co_eventloop. Returns when no task is alive, or when the round function returns -1; the remaining tasks
    /// then continue at the next run.
    void run(Scheduler& scheduler) override;

    /// Sets the round function, which the main coroutine calls at the end of every round; empty: none. If it returns
    /// -1, the loop ends. It may create and wake tasks; run() propagates its exceptions. A round takes place whenever a
    /// task can run or a deadline has passed; libco's loop also wakes once per millisecond.
    void on_round(std::function<int()> function) { each_round_ = std::move(function); }

  private:
    /// 4.9. Moves all tasks whose deadline is within the tick of `now` or an earlier one from the store to the time-out
    /// list (as TakeAllTimeout). Some of them may not be due yet.
    void take_all_timeouts(Scheduler& scheduler, std::uint64_t now);
    /// 4.9. Empties the time-out list from its front: a task that is due at `now` is marked `timeout` and appended to
    /// the active list; any other is put back into the store.
    void join_timeouts(Scheduler& scheduler, std::uint64_t now);

    TimeoutList timeouts_{"time-outs", trace::Role::sleep};
    std::function<int()> each_round_;
};

/// Returns the loop of a scheduler whose strategy is "libco". Throws std::logic_error for any other strategy.
EventLoop& event_loop_of(Scheduler& scheduler);

}  // namespace fiberscope::lab04
