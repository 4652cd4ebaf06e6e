// Step 4.3: tasks that wait for a descriptor. The contracts are in ../scheduler.h and ../parts/task.h. Given:
//
//     waiting_                              the waiting tasks, ordered by waits_before: insert, remove, contains
//     waiting_.first_of(fd), next_of(task)  the tasks that wait for one descriptor, in order of arrival; null: no
//                                           more
//     source_->watch(fd, want), unwatch     a task begins, or stops, waiting for it
//     Cause::event, Cause::deadline         causes for make_ready; wake passes on its own
//     task.waits_for_descriptor()           whether task.fd is a descriptor; it is kNoDescriptor (-1) for a
//                                           parked task
//     running_task()                        the calling task
//     yield_as(task, State::waiting)        leaves the processor until task.deadline at most, waiting for task.fd,
//                                           task.want; returns how the task was woken
#include "labs/04_scheduler/scheduler.h"

#include "labs/kit/report/report.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

bool waits_before(const Task&, const Task&) {
    kit::not_implemented("4.3", "waits_before: compare by descriptor, then by order");
}

void Scheduler::insert_waiting(Task&) {
    kit::not_implemented(
        "4.3", "Scheduler::insert_waiting: insert it into the wait tree, and with a deadline also into the sleep tree");
}

void Scheduler::remove_waiting(Task&) {
    kit::not_implemented("4.3", "Scheduler::remove_waiting: remove it from the wait tree");
}

Task* Scheduler::waiter(const Event&) const {
    // Skip tasks that began to wait after the event was seen: compare the orders.
    kit::not_implemented("4.3", "Scheduler::waiter: return the first task that the event is meant for");
}

bool Scheduler::wake(Task&, Wake, Cause) {
    kit::not_implemented("4.3", "Scheduler::wake: wake a sleeping or waiting task before its time");
}

Wake wait_for(int, Want, std::uint64_t) {
    kit::not_implemented("4.3",
                         "wait_for: set the descriptor and the deadline, leave the processor, return how it was woken");
}

}  // namespace fiberscope::lab04
