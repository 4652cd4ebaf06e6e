// Step 4.9: libco's event loop. The contracts are in ../event_loop.h; what you use besides what step 4.4 uses:
//
//     task.loop_item().prepare, .process   the two functions of an item; task.bound: it may run on this thread only
//     Cause::spawned                  why a new task is ready: for make_ready
//     sched.poll()                    the events; waits if the active list is empty
//     sched.ready()                   the active list
//     sched.sleeping()                the time-out store: insert(task), remove(task); sched.expired(t) is its first
//     timeouts_                       the time-out list: push(task), pop()
//     each_round_                     the function of each round; perhaps empty
#include "labs/04_scheduler/event_loop.h"

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void on_poll_prepare(Scheduler&, Task&, const Event&) {
    kit::not_implemented("4.9", "on_poll_prepare: out of the sets, told event, into the active list");
}

void on_poll_process(Scheduler&, Task&) { kit::not_implemented("4.9", "on_poll_process: resume it"); }

void EventLoop::make_new_ready(Scheduler&, Task&) {
    kit::not_implemented("4.9", "EventLoop::make_new_ready: its two functions, its thread, the active list");
}

void EventLoop::run(Scheduler&) {
    // Call take_all_timeouts and join_timeouts from here.
    kit::not_implemented("4.9",
                         "EventLoop::run: prepare the events, join the time-outs, process the active list; again");
}

void EventLoop::take_all_timeouts(Scheduler&, std::uint64_t) {
    kit::not_implemented("4.9", "EventLoop::take_all_timeouts: a whole tick, from the store to the time-out list");
}

void EventLoop::join_timeouts(Scheduler&, std::uint64_t) {
    kit::not_implemented("4.9", "EventLoop::join_timeouts: the due to the active list, the others back to the store");
}

}  // namespace fiberscope::lab04
