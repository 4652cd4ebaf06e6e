// Step 4.9: libco's event loop. The contracts are in ../event_loop.h. Used in addition to those of step 4.4:
//
//     task.loop_item().prepare, .process   the two functions of an item; task.bound: it may only run on this thread
//     Cause::spawned                  the cause for a new task, for make_ready
//     sched.poll()                    returns the events; waits if the active list is empty
//     sched.ready()                   the active list
//     sched.sleeping()                the time-out store: insert(task), remove(task); sched.expired(t) is the first
//     timeouts_                       the time-out list: push(task), pop()
//     each_round_                     the round function; may be empty
#include "labs/04_scheduler/event_loop.h"

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void on_poll_prepare(Scheduler&, Task&, const Event&) {
    kit::not_implemented("4.9",
                         "on_poll_prepare: remove from the sets, mark as woken by event, append to the active list");
}

void on_poll_process(Scheduler&, Task&) { kit::not_implemented("4.9", "on_poll_process: resume the task"); }

void EventLoop::make_new_ready(Scheduler&, Task&) {
    kit::not_implemented("4.9",
                         "EventLoop::make_new_ready: set its two functions, bind it, append it to the active list");
}

void EventLoop::run(Scheduler&) {
    // Call take_all_timeouts and join_timeouts from here.
    kit::not_implemented("4.9",
                         "EventLoop::run: prepare the events, join the time-outs, process the active list; repeat");
}

void EventLoop::take_all_timeouts(Scheduler&, std::uint64_t) {
    kit::not_implemented("4.9", "EventLoop::take_all_timeouts: move a whole tick from the store to the time-out list");
}

void EventLoop::join_timeouts(Scheduler&, std::uint64_t) {
    kit::not_implemented(
        "4.9", "EventLoop::join_timeouts: move due tasks to the active list, put the others back into the store");
}

}  // namespace fiberscope::lab04
