#include "labs/06_timers/descriptor.h"

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab06 {

void TimerDescriptor::set_for_first() {
    const std::uint64_t first = store_.next_deadline();
    if (first >= set_for_) return;
    clock_.set(first);
    set_for_ = first;
}

void TimerDescriptor::run_at(Timer& timer, std::uint64_t deadline) {
    store_.add(timer, deadline);
    set_for_first();
}

void TimerDescriptor::run_after(Timer& timer, std::uint64_t ns) { run_at(timer, kit::plus(kit::now(), ns)); }

void TimerDescriptor::wake() {
    clock_.set(0);
    set_for_ = 0;
}

void TimerDescriptor::take_expired(std::vector<Timer*>& out) {
    if (clock_.drain()) set_for_ = kNever;
    store_.take_expired(kit::now(), out);
    set_for_first();
}

void serve_descriptor(TimerDescriptor& timers, const std::function<void(Timer&)>& expired,
                      const std::function<bool()>& more) {
    std::vector<Timer*> out;
    while (more()) {
        lab04::wait_readable(timers.fd());
        out.clear();
        timers.take_expired(out);
        for (Timer* timer : out) expired(*timer);
    }
}

}  // namespace fiberscope::lab06
