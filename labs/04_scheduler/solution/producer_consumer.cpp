#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

std::span<const Event> Scheduler::poll() {
    if (alive() == 0) return {};
    if (!ready_.empty()) return look();
    const Task* first = sleeping_.first();
    const std::uint64_t until = first == nullptr ? kNever : first->deadline;
    if (until == kNever && !source_->expects_any()) throw_stuck();
    return wait_until(until);
}

void ProducerConsumer::run(Scheduler& sched) {
    while (sched.alive() > 0) {
        const std::uint64_t now = sched.look_at_clock();
        while (Task* task = sched.expired(now)) {
            sched.remove(*task, Wake::timeout);
            sched.make_ready(*task, Cause::deadline);
        }

        for (const Event& event : sched.poll())
            while (Task* task = sched.waiter(event)) {
                sched.remove(*task, Wake::event);
                sched.make_ready(*task, Cause::event);
            }

        for (std::size_t queued = sched.ready().size(); queued > 0; --queued) sched.resume(*sched.ready().pop());
    }
}

}  // namespace fiberscope::lab04
