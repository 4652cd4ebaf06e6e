#include "labs/06_timers/manager.h"
#include "labs/kit/time/units.h"

#include <stdexcept>
#include <utility>

namespace fiberscope::lab06 {

void TimerManager::set(Alarm& alarm) {
    const std::uint64_t deadline = kit::plus(alarm.began, alarm.delay);
    const std::uint64_t first = store_.next_deadline();
    if (!store_.refresh(alarm, deadline)) store_.add(alarm, deadline);
    if (store_.next_deadline() < first && told_) told_();
}

AlarmHandle TimerManager::add_condition(std::uint64_t delay, Callback callback, std::weak_ptr<const void> condition,
                                        Repeat repeat) {
    const auto guarded = [callback = std::move(callback), condition = std::move(condition)] {
        if (const auto alive = condition.lock()) callback();
    };
    return add(delay, guarded, repeat);
}

bool TimerManager::cancel(const AlarmHandle& alarm) {
    const bool was_due = std::erase(due_, alarm) > 0;
    const bool was_set = store_.cancel(*alarm);
    if (!was_set && !was_due) return false;
    forget(*alarm);
    if (was_set && store_.next_deadline() == kNever && told_) told_();
    return true;
}

bool TimerManager::refresh(const AlarmHandle& alarm) { return reset(alarm, alarm->delay, From::now); }

bool TimerManager::reset(const AlarmHandle& alarm, std::uint64_t delay, From from) {
    if (alarm->store != &store_) return false;
    if (alarm->recurring && delay == 0) throw std::invalid_argument("an alarm that recurs needs a delay");
    if (from == From::now) alarm->began = clock_();
    alarm->delay = delay;
    if (alarm->recurring) alarm->period = delay;
    set(*alarm);
    return true;
}

bool TimerManager::clock_was_set_back(std::uint64_t now) {
    const std::uint64_t before = std::exchange(last_look_, now);
    return kit::minus(before, now) > kSetBack;
}

void TimerManager::collect(std::uint64_t now) {
    std::vector<Timer*> taken;
    if (clock_was_set_back(now))
        store_.take_all(now, taken);
    else
        store_.take_expired(now, taken);
    for (Timer* timer : taken) {
        Alarm& alarm = static_cast<Alarm&>(*timer);
        due_.push_back(alarm.shared_from_this());
        if (alarm.recurring) {
            alarm.began = now - kit::minus(now, alarm.began) % alarm.delay;
            set(alarm);
        } else {
            forget(alarm);
        }
    }
}

std::size_t TimerManager::run_expired() {
    collect(clock_());
    std::size_t called = 0;
    for (std::size_t due = due_.size(); due > 0 && !due_.empty(); --due) {
        const AlarmHandle alarm = due_.front();
        due_.pop_front();
        ++called;
        alarm->callback();
    }
    return called;
}

}  // namespace fiberscope::lab06
