// Step 6.4: time as a descriptor. The contracts are in ../descriptor.h; what you are given:
//
//     clock_.set(deadline)   one system call; readable once, from then on
//     clock_.drain()         one system call; whether it was readable, and then nothing is set any more
//     store_                 add, take_expired, next_deadline
//     set_for_               what the descriptor is set for: keep it true
//     lab04::wait_readable(fd)   the task leaves until the descriptor is readable
#include "labs/06_timers/descriptor.h"

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void TimerDescriptor::set_for_first() {
    kit::not_implemented("6.4", "TimerDescriptor::set_for_first: set, if the first deadline is earlier than set_for_");
}

void TimerDescriptor::run_at(Timer&, std::uint64_t) {
    kit::not_implemented("6.4", "TimerDescriptor::run_at: into the store, and the descriptor if it is the first");
}

void TimerDescriptor::run_after(Timer&, std::uint64_t) {
    kit::not_implemented("6.4", "TimerDescriptor::run_after: the same, from now on");
}

void TimerDescriptor::wake() {
    kit::not_implemented("6.4", "TimerDescriptor::wake: readable at once; remember that it is no deadline");
}

void TimerDescriptor::take_expired(std::vector<Timer*>&) {
    kit::not_implemented("6.4", "TimerDescriptor::take_expired: drain, take, set for the first that is left");
}

void serve_descriptor(TimerDescriptor&, const std::function<void(Timer&)>&, const std::function<bool()>&) {
    kit::not_implemented("6.4", "serve_descriptor: wait until it is readable, take, call; as long as there is more");
}

}  // namespace fiberscope::lab06
