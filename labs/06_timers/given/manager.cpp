// Given parts of the manager: the start and the end of alarms.
#include <stdexcept>
#include <utility>

#include "labs/06_timers/manager.h"

namespace fiberscope::lab06 {

AlarmHandle TimerManager::add(std::uint64_t delay, Callback callback, Repeat repeat) {
    if (repeat == Repeat::for_ever && delay == 0)
        throw std::invalid_argument("a timer that recurs needs a delay: with 0 it would always be due");
    auto alarm = std::make_shared<Alarm>();
    alarm->callback = std::move(callback);
    alarm->delay = delay;
    alarm->began = clock_();
    alarm->recurring = repeat == Repeat::for_ever;
    alarm->period = alarm->recurring ? delay : 0;
    alarm->serial = ++serial_;
    keep(alarm);
    set(*alarm);
    return alarm;
}

TimerManager::~TimerManager() {
    for (const auto& [serial, alarm] : alarms_) store_.cancel(*alarm);
}

}  // namespace fiberscope::lab06
