// A small loop of several machines, for tests that need no strategy.
#pragma once

#include "labs/04_scheduler/shared_strategy.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04::testing {

/// Machines that poll and park only briefly. Throws Stuck if no task can ever run again.
inline void run_on_machines(Scheduler& sched) {
    WorkerPool& shared = sched.shared();
    unsigned running = 0;  // machines that run a task; guarded by the lock
    shared.run_on_machines(sched.settings().machines, [&](Machine& machine) {
        SchedulerLock held(shared);
        while (sched.alive() > 0) {
            shared.wake_due();
            if (Task* task = sched.ready().pop()) {
                ++running;
                shared.resume_unlocked(held, machine, *task);
                --running;
                continue;
            }
            if (running == 0) shared.throw_if_stuck();
            held.unlock();
            kit::idle_until(kit::now() + 500);
            held.lock();
        }
    });
}

}  // namespace fiberscope::lab04::testing
