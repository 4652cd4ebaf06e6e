// Step 6.5: timers in a loop that also waits for descriptors. The contracts are in ../loop.h. Given:
//     look(timeout, until)     one epoll_wait, for at most `timeout` ms; may return early, without events
//     kit::now()               ns
//     manager_                 run_expired(), next_deadline()
//     task_                    the task that serves; task_.done(); begin() starts one
//     lab04::sleep_for(ns), lab04::wake(handle)
#include "labs/06_timers/loop.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

int timeout_for(std::uint64_t, std::uint64_t) {
    kit::not_implemented("6.5", "timeout_for: the ms from now until then, rounded so that they are never too short");
}

std::span<lab04::Event> TimedSource::wait(std::uint64_t) {
    kit::not_implemented("6.5", "TimedSource::wait: look repeatedly until there are events or the time has come");
}

void TimerService::serve() {
    kit::not_implemented("6.5", "TimerService::serve: call what is due, sleep until the next deadline, and repeat");
}

void TimerService::first_changed() {
    kit::not_implemented("6.5", "TimerService::first_changed: start the task, or wake it");
}

}  // namespace fiberscope::lab06
