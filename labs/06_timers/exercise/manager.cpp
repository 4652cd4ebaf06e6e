// Step 6.2, second part: the manager. The contracts are in ../manager.h. Given:
//
//     store_     add(alarm, deadline), refresh(alarm, deadline), cancel(alarm), take_expired(now, out),
//                take_all(now, out), next_deadline()
//     clock_()   the time, ns
//     due_       alarms that were collected but not called yet
//     told_      a function; may be empty
//     forget(alarm), alarm.shared_from_this()
#include "labs/06_timers/manager.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void TimerManager::set(Alarm&) {
    kit::not_implemented("6.2", "TimerManager::set: add to the store, and call told_ if it is now the first");
}

AlarmHandle TimerManager::add_condition(std::uint64_t, Callback, std::weak_ptr<const void>, Repeat) {
    kit::not_implemented("6.2", "TimerManager::add_condition: a callback that first checks whether the object exists");
}

bool TimerManager::cancel(const AlarmHandle&) {
    kit::not_implemented(
        "6.2", "TimerManager::cancel: remove from the store and from due_, and forget; call told_ if it was the last");
}

bool TimerManager::refresh(const AlarmHandle&) {
    kit::not_implemented("6.2", "TimerManager::refresh: restart the same delay now");
}

bool TimerManager::reset(const AlarmHandle&, std::uint64_t, From) {
    kit::not_implemented("6.2", "TimerManager::reset: set a new delay, from now or from the beginning");
}

bool TimerManager::clock_was_set_back(std::uint64_t) {
    kit::not_implemented("6.2", "TimerManager::clock_was_set_back: compare with the last check, and store this one");
}

void TimerManager::collect(std::uint64_t) {
    kit::not_implemented("6.2", "TimerManager::collect: move from the store into due_, and set recurring alarms again");
}

std::size_t TimerManager::run_expired() {
    kit::not_implemented("6.2", "TimerManager::run_expired: collect, then call the due alarms");
}

}  // namespace fiberscope::lab06
