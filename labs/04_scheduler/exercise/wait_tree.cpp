// Step 4.3: tasks that wait for a descriptor. The contracts are in ../scheduler.h and ../parts/task.h; what
// you are given:
//
//     waiting_                              the tasks that wait, ordered by waits_before: insert, remove, contains
//     waiting_.first_of(fd), next_of(task)  the tasks that wait for one descriptor, in order of arrival; null: no
//                                           more
//     source_->watch(fd, want), unwatch     a task begins to wait for it, or ends to
//     Cause::event, Cause::deadline         why a task is ready again; wake passes its own on to make_ready
//     task.waits_for_descriptor()           whether task.fd names a descriptor: it is kNoDescriptor, which is -1, of a
//                                           task that is parked
//     running_task()                        the task that calls
//     yield_as(task, State::waiting)        leaves the processor until task.deadline at most, waiting for task.fd,
//                                           task.want; returns how the task was woken
#include "labs/04_scheduler/scheduler.h"

#include "labs/kit/report/report.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

bool waits_before(const Task&, const Task&) {
    kit::not_implemented("4.3", "waits_before: by descriptor, and by order where the descriptors are equal");
}

void Scheduler::insert_waiting(Task&) {
    kit::not_implemented("4.3",
                         "Scheduler::insert_waiting: into the wait tree, with a deadline into the sleep tree too");
}

void Scheduler::remove_waiting(Task&) {
    kit::not_implemented("4.3", "Scheduler::remove_waiting: out of the wait tree");
}

Task* Scheduler::waiter(const Event&) const {
    // Not one that began to wait after the event was seen: compare the orders.
    kit::not_implemented("4.3", "Scheduler::waiter: the first that the event is meant for");
}

bool Scheduler::wake(Task&, Wake, Cause) {
    kit::not_implemented("4.3", "Scheduler::wake: wake one that sleeps or waits, before its time");
}

Wake wait_for(int, Want, std::uint64_t) {
    kit::not_implemented("4.3", "wait_for: what and until when, leave the processor, say how it was woken");
}

}  // namespace fiberscope::lab04
