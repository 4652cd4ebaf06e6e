#include "labs/04_scheduler/go_scheduler.h"

namespace fiberscope::lab04 {

void GoScheduler::loop(WorkerPool& sched, Machine& machine) {
    if (machine.index == 0)
        if (Task* root = take_root()) push_local(sched, machine, *root);
    while (sched.alive() > 0)
        if (Task* g = next(sched, machine))
            resume(sched, machine, *g);
        else
            park(sched, machine);
}

namespace {

Task* pop_local(LocalQueue& queue) {
    const kit::Guard guard(queue.lock);
    return queue.runnable.pop();
}

Task* pop_global(WorkerPool& sched) {
    const SchedulerLock held(sched);
    sched.wake_due();
    return sched.ready().pop();
}

}  // namespace

Task* GoScheduler::next(WorkerPool& sched, Machine& machine) {
    constexpr unsigned kGlobalFirst = 8;
    LocalQueue& mine = local(machine.index);
    if (++mine.turns % kGlobalFirst == 0)
        if (Task* g = pop_global(sched)) return g;
    if (Task* g = pop_local(mine)) return g;
    if (Task* g = pop_global(sched)) return g;
    return WorkerPool::worth_helping(machine) ? steal(machine) : nullptr;
}

void GoScheduler::resume(WorkerPool& sched, Machine& machine, Task& g) {
    g.last_run() = kit::now();
    sched.resume_on(machine, g);
    if (g.status() == State::ready)
        push_local(sched, machine, g);
    else
        sched.insert_yielded(g);
}

}  // namespace fiberscope::lab04
