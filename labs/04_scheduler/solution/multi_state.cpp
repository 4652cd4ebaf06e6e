#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

void MultiState::run(Scheduler& sched) {
    while (sched.alive() > 0) {
        const std::uint64_t now = sched.look_at_clock();
        while (Task* task = sched.expired(now)) {
            sched.remove(*task, Wake::timeout);
            sched.resume(*task);
        }

        for (const Event& event : sched.poll())
            while (Task* task = sched.waiter(event)) {
                sched.remove(*task, Wake::event);
                sched.resume(*task);
            }

        for (std::size_t queued = sched.ready().size(); queued > 0; --queued) sched.resume(*sched.ready().pop());
    }
}

}  // namespace fiberscope::lab04
