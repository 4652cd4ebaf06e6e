// Step 6.5: timers in a loop that also waits for descriptors. The contracts are in ../loop.h; what you are given:
//
//     look(timeout, until)     one epoll_wait, for `timeout` ms at most; it may come back early, with nothing
//     kit::now()               ns
//     manager_                 run_expired(), next_deadline()
//     task_                    the task that serves; task_.done(); begin() begins one
//     lab04::sleep_for(ns), lab04::wake(handle)
#include "labs/06_timers/loop.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

int timeout_for(std::uint64_t, std::uint64_t) {
    kit::not_implemented("6.5", "timeout_for: from now until then, in ms, rounded so that it is never too short");
}

std::span<lab04::Event> TimedSource::wait(std::uint64_t) {
    kit::not_implemented("6.5", "TimedSource::wait: look, and look again, until there are events or it is time");
}

void TimerService::serve() {
    kit::not_implemented("6.5", "TimerService::serve: call what is due, sleep until the next deadline; again");
}

void TimerService::first_changed() {
    kit::not_implemented("6.5", "TimerService::first_changed: begin the task, or wake it");
}

}  // namespace fiberscope::lab06
