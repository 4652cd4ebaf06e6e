#include "labs/04_scheduler/sylar.h"

namespace fiberscope::lab04 {

namespace {

bool any_may(const Task& task) { return task.pinned == kAnyMachine; }

auto may_run_on(const Machine& machine) {
    return [&machine](const Task& task) { return any_may(task) || task.pinned == static_cast<int>(machine.index); };
}

}  // namespace

Task* Sylar::take(WorkerPool& sched, const Machine& machine) {
    Task* task = sched.ready().pop_first(may_run_on(machine));
    if (task != nullptr && sched.ready().find(any_may) != nullptr) sched.unpark_one();
    return task;
}

void Sylar::schedule_tasks(WorkerPool& sched, Machine& machine) {
    SchedulerLock held(sched);
    while (!idle_ended(machine)) {
        sched.wake_due();
        if (Task* task = take(sched, machine))
            sched.resume_unlocked(held, machine, *task);
        else
            resume_idle(held, machine);
    }
}

void Sylar::idle(WorkerPool& sched, Machine& machine) {
    SchedulerLock held(sched);
    while (!stopping(sched)) {
        const bool nothing = sched.ready().find(may_run_on(machine)) == nullptr;
        if (nothing && !sched.settings().with_known_bug) sched.wait_for_work(held, machine);
        yield_idle(sched, held);
    }
    sched.unpark_all();
}

void Sylar::stop(WorkerPool& sched) {
    const SchedulerLock held(sched);
    stopped_ = true;
    sched.unpark_all();
}

bool Sylar::stopping(WorkerPool& sched) const { return stopped_ && sched.alive() == 0; }

void Sylar::on_ready(WorkerPool& sched, const Task& task) {
    if (!sched.scheduler().is_shared()) return;
    const Machine* here = machine_here(sched);
    const bool mine = here != nullptr && task.pinned == static_cast<int>(here->index);
    if (any_may(task)) {
        if (!in_the_loop(sched)) sched.unpark_one();
    } else if (!mine) {
        sched.unpark(static_cast<unsigned>(task.pinned));
    }
}

}  // namespace fiberscope::lab04
