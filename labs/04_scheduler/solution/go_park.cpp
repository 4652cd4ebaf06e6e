#include "labs/04_scheduler/go_scheduler.h"

namespace fiberscope::lab04 {

void GoScheduler::push_local(WorkerPool& sched, Machine& machine, Task& g) {
    LocalQueue& mine = local(machine.index);
    std::size_t length = 0;
    {
        const kit::Guard guard(mine.lock);
        mine.runnable.push(g);
        length = mine.runnable.size();
    }
    kit::atomic_thread_fence(std::memory_order_seq_cst);
    if (length < 2 || sched.idle() == 0) return;
    const SchedulerLock held(sched);
    sched.unpark_one();
}

bool GoScheduler::any_work(WorkerPool& sched, const Machine& machine) {
    if (!sched.ready().empty()) return true;
    const bool may_steal = WorkerPool::worth_helping(machine);
    for (unsigned i = 0; i < machines(); ++i)
        if (i == machine.index ? local(i).runnable.length() >= 1U : may_steal && local(i).runnable.length() >= 2U)
            return true;
    return false;
}

void GoScheduler::park(WorkerPool& sched, Machine& machine) {
    SchedulerLock held(sched);
    sched.announce_idle(machine);
    kit::atomic_thread_fence(std::memory_order_seq_cst);
    if (any_work(sched, machine) || sched.alive() == 0)
        sched.cancel_idle(machine);
    else
        sched.park_or_poll(held, machine);
}

}  // namespace fiberscope::lab04
