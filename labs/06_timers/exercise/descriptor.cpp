// Step 6.4: time as a descriptor. The contracts are in ../descriptor.h. Given:
//     clock_.set(deadline)   one system call; readable once, from then on
//     clock_.drain()         one system call; whether it was readable; if so, it is no longer set
//     store_                 add, take_expired, next_deadline
//     set_for_               the time for which the descriptor is set: keep it up to date
//     lab04::wait_readable(fd)   suspends the task until the descriptor is readable
#include "labs/06_timers/descriptor.h"

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void TimerDescriptor::set_for_first() {
    kit::not_implemented("6.4", "TimerDescriptor::set_for_first: set, if the first deadline is earlier than set_for_");
}

void TimerDescriptor::run_at(Timer&, std::uint64_t) {
    kit::not_implemented("6.4", "TimerDescriptor::run_at: add to the store, and set the descriptor if it is the first");
}

void TimerDescriptor::run_after(Timer&, std::uint64_t) {
    kit::not_implemented("6.4", "TimerDescriptor::run_after: as run_at, with a delay from now");
}

void TimerDescriptor::wake() {
    kit::not_implemented("6.4",
                         "TimerDescriptor::wake: make it readable at once; remember that this is not a deadline");
}

void TimerDescriptor::take_expired(std::vector<Timer*>&) {
    kit::not_implemented("6.4", "TimerDescriptor::take_expired: drain, take, set for the first remaining timer");
}

void serve_descriptor(TimerDescriptor&, const std::function<void(Timer&)>&, const std::function<bool()>&) {
    kit::not_implemented("6.4", "serve_descriptor: wait until it is readable, take, call; as long as there is more");
}

}  // namespace fiberscope::lab06
