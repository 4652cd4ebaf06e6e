// Given: the lock of a scheduler with several machines, and the system calls deferred until it is released.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

WorkerPool::WorkerPool(Scheduler& sched, Strategy& strategy) noexcept
    : sched_(sched), strategy_(dynamic_cast<SharedStrategy*>(&strategy)) {}

SchedulerLock::SchedulerLock(WorkerPool& loop) : loop_(loop.has_several_threads() ? &loop : nullptr) { lock(); }
SchedulerLock::~SchedulerLock() {
    if (owned_) unlock();
}
void WorkerPool::make_calls() {
    const std::vector<unsigned> calls = std::exchange(to_unpark_, {});
    const bool ends_wait = std::exchange(to_end_wait_, false);
    const bool source_called = std::exchange(source_called_, false);
    calls_ = false;
    const std::shared_ptr<kit::Machines> machines = machines_;
    lock_.unlock();
    if (ends_wait) sched_.source().end_wait();
    for (const unsigned machine : calls) machines->unpark(machine);
    if (source_called) sched_.source().unlocked(*this);
}

void WorkerPool::guard_sets(const kit::Lock* lock, bool several) {
    sched_.ready().guarded_by(lock);
    sched_.sleeping().guarded_by(lock);
    sched_.waiting().guarded_by(lock);
    if (lock == nullptr || !kit::names_objects()) return;
    const auto name = [&](const void* object, Text one, Text of_several) {
        kit::name_object(object, several ? message(of_several, sched_.machine()) : message(one));
    };
    name(lock, mark("the scheduler's lock"), mark("the lock of scheduler {0}"));
    name(&idle_, mark("the number of idle machines"), mark("the number of idle machines of scheduler {0}"));
    name(&sched_.parts_->alive, mark("the number of tasks"), mark("the number of tasks of scheduler {0}"));
}

}  // namespace fiberscope::lab04
