// Step 4.4: the loop of producers and a consumer. The picture and the rules are in ../README.md.
//
// Used in poll():
//
//     ready_.empty(), alive()           whether a task is ready; the number of live tasks
//     sleeping_.first()->deadline       the first deadline, if sleeping_.first() is not null
//     source_->expects_any()            whether an event can still come
//     look(), wait_until(ns)            return the events; wait_until(kNever) waits without a limit
//     throw_stuck()                     reports what each task waits for
//
// Used in run():
//
//     sched.alive()                     the number of tasks that have not ended
//     sched.look_at_clock()             the time; once per round
//     sched.expired(now)                step 4.2       sched.waiter(event)         step 4.3
//     sched.remove(task, wake)          step 4.2       sched.make_ready(…, cause)  step 4.1
//     Cause::deadline, Cause::event     the causes for an expired task, and for a task with an event
//     sched.poll()                      returns the events; waits if no task is ready
//     sched.ready().pop()               the next task  sched.resume(task)          runs it
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

std::span<const Event> Scheduler::poll() {
    kit::not_implemented("4.4",
                         "Scheduler::poll: how long may it wait? Not at all, until the first deadline, or forever");
}

void ProducerConsumer::run(Scheduler&) {
    kit::not_implemented("4.4", "ProducerConsumer::run: wake the expired, wake the waiters, run the queued; repeat");
}

}  // namespace fiberscope::lab04
