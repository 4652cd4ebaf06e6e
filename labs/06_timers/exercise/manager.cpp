// Step 6.2, second part: the manager. The contracts are in ../manager.h; what you are given:
//
//     store_     add(alarm, deadline), refresh(alarm, deadline), cancel(alarm), take_expired(now, out),
//                take_all(now, out), next_deadline()
//     clock_()   the time, ns
//     due_       alarms that were collected and not called yet
//     told_      a function; may be empty
//     forget(alarm), alarm.shared_from_this()
#include "labs/06_timers/manager.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void TimerManager::set(Alarm&) {
    kit::not_implemented("6.2", "TimerManager::set: into the store; if it is the first now, told_ is called");
}

AlarmHandle TimerManager::add_condition(std::uint64_t, Callback, std::weak_ptr<const void>, Repeat) {
    kit::not_implemented("6.2", "TimerManager::add_condition: a callback that first asks whether the object exists");
}

bool TimerManager::cancel(const AlarmHandle&) {
    kit::not_implemented(
        "6.2", "TimerManager::cancel: out of the store and out of due_, and forgotten; told_ if it was the last");
}

bool TimerManager::refresh(const AlarmHandle&) {
    kit::not_implemented("6.2", "TimerManager::refresh: the same delay, from now on");
}

bool TimerManager::reset(const AlarmHandle&, std::uint64_t, From) {
    kit::not_implemented("6.2", "TimerManager::reset: a new delay, from now on or from the beginning");
}

bool TimerManager::clock_was_set_back(std::uint64_t) {
    kit::not_implemented("6.2", "TimerManager::clock_was_set_back: compare with the last look, and remember this one");
}

void TimerManager::collect(std::uint64_t) {
    kit::not_implemented("6.2", "TimerManager::collect: out of the store into due_; those that recur are set again");
}

std::size_t TimerManager::run_expired() {
    kit::not_implemented("6.2", "TimerManager::run_expired: collect, then call those that are due");
}

}  // namespace fiberscope::lab06
