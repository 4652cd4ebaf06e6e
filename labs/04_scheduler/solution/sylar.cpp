#include "labs/04_scheduler/scheduler.h"

namespace fiberscope::lab04 {

void Sylar::run(Scheduler& sched) {
    sched.run_on_machines([&](Machine& machine) {
        Held held = sched.hold();
        while (sched.alive() > 0) {
            sched.wake_the_due();
            if (Task* task = sched.ready().pop())
                sched.run_unlocked(held, machine, *task);
            else
                sched.wait_for_work(held, machine);
        }
        sched.unpark_all();
    });
}

void Sylar::published(Scheduler& sched, const Task&) {
    if (sched.shared()) sched.unpark_one();
}

}  // namespace fiberscope::lab04
