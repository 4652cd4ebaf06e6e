#include "labs/04_scheduler/hand_off.h"

namespace fiberscope::lab04 {

void HandOff::run(Scheduler& sched) {
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

        turns_ = sched.ready().size();
        while (take_turn()) sched.resume(*sched.ready().pop());
    }
}

bool HandOff::take_turn() {
    if (turns_ == 0) return false;
    --turns_;
    return true;
}

void HandOff::insert_leaving(Scheduler& sched, Task& self, State left) {
    if (left == State::ready) return sched.ready().push(self);
    if (left == State::waiting && self.waits_for_descriptor()) return sched.insert_waiting(self);
    if (left == State::sleeping || (left == State::waiting && self.deadline != kNever)) sched.insert_sleeping(self);
}

void HandOff::leave(Task& self, State left, std::int64_t until, const char* reason) {
    if (!take_turn()) return Strategy::leave(self, left, until, reason);
    Scheduler& sched = *self.sched;
    insert_leaving(sched, self, left);
    sched.hand_over(*sched.ready().pop(), left, until, reason);
}

}  // namespace fiberscope::lab04
