#include <algorithm>

#include "labs/06_timers/wheel_store.h"

namespace fiberscope::lab06 {

void WheelStore::insert(Timer& timer) { slots_.append(tick_of(timer.deadline) % kSlots, timer); }

void WheelStore::remove(Timer& timer) { slots_.remove(timer); }

bool WheelStore::is_due(std::uint64_t tick) const {
    for (const Timer* timer = slots_.first(tick % kSlots); timer != nullptr; timer = timer->behind)
        if (tick_of(timer->deadline) == tick) return true;
    return false;
}

std::uint64_t WheelStore::first_of_all() const {
    std::uint64_t first = kNever;
    for (std::uint64_t slot = slots_.occupied(0, kSlots); slot < kSlots; slot = slots_.occupied(slot + 1, kSlots))
        for (const Timer* timer = slots_.first(slot); timer != nullptr; timer = timer->behind)
            first = std::min(first, tick_of(timer->deadline));
    return first;
}

std::uint64_t WheelStore::first_tick(std::uint64_t last) const {
    const std::uint64_t end = std::min(last, hand_ + kSlots - 1) + 1;
    for (std::uint64_t tick = slots_.occupied(hand_, end); tick < end; tick = slots_.occupied(tick + 1, end))
        if (is_due(tick)) return tick;
    return last < end ? kNever : first_of_all();
}

std::uint64_t WheelStore::first_deadline() const {
    const std::uint64_t tick = first_tick(kNever - 1);
    return tick < tick_of(kNever) ? tick * kTick : kNever;
}

void WheelStore::empty_slot(std::uint64_t tick, Expired& expired) {
    Timer* behind = nullptr;
    for (Timer* timer = slots_.first(tick % kSlots); timer != nullptr; timer = behind) {
        behind = timer->behind;
        if (tick_of(timer->deadline) > tick) continue;
        slots_.remove(*timer);
        expired.push(*timer);
    }
}

void WheelStore::take(std::uint64_t now, Expired& expired) {
    const std::uint64_t last = tick_of(now);
    for (std::uint64_t tick = first_tick(last); tick <= last; tick = first_tick(last)) {
        hand_ = tick;
        slots_.turn(hand_ % kSlots);
        empty_slot(tick, expired);
    }
    set_time(now);
}

void WheelStore::set_time(std::uint64_t now) {
    hand_ = tick_of(now);
    slots_.turn(hand_ % kSlots);
}

}  // namespace fiberscope::lab06
