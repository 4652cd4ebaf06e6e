// Given for strategies of several machines: the defaults, and tasks from threads that are not machines.
#include <mutex>
#include <utility>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

void SharedStrategy::on_ready(WorkerPool&, const Task&) {}
void SharedStrategy::on_deadline(WorkerPool& sched, Task& task) {
    sched.wake_and_tell(task, Wake::timeout, Cause::deadline);
}
std::string SharedStrategy::work_for(WorkerPool& sched, unsigned) {
    const Task* first = sched.scheduler().ready().front();
    return first == nullptr ? "" : "'" + first->core().name() + "' is ready";
}
void SharedStrategy::on_exit(WorkerPool& sched, Task& task) { sched.release(task); }
void SharedStrategy::make_new_ready(Scheduler& scheduler, Task& task) KIT_UNCHECKED {  // go() holds the lock
    make_new_ready_shared(scheduler.shared(), task);
}
void SharedStrategy::make_new_ready_shared(WorkerPool& sched, Task& task) {
    sched.scheduler().make_ready(task, Cause::spawned);
}

// ---- from other threads -------------------------------------------------------------------------------------------

namespace {

// The schedulers to which threads without one can give tasks.
struct Attached {
    std::mutex mutex;
    std::vector<Scheduler*> schedulers;
};
Attached& attached() {
    static Attached all;
    return all;
}

}  // namespace

void SharedStrategy::on_attach(Scheduler& scheduler) {
    const std::lock_guard lock(attached().mutex);
    attached().schedulers.push_back(&scheduler);
}
void SharedStrategy::on_detach(Scheduler& scheduler) {
    const std::lock_guard lock(attached().mutex);
    std::erase(attached().schedulers, &scheduler);
}

Handle go_from_outside(std::string_view strategy, Body body, Attributes attributes, TaskOptions options) {
    kit::this_thread();
    const std::lock_guard lock(attached().mutex);  // keeps the scheduler alive
    for (auto one = attached().schedulers.rbegin(); one != attached().schedulers.rend(); ++one)
        if ((*one)->settings().strategy == strategy) return (*one)->go(std::move(body), std::move(attributes), options);
    return {};
}

}  // namespace fiberscope::lab04
