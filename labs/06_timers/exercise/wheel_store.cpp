// Step 6.3: the timing wheel. The contracts are in ../timer.h and ../wheel_store.h. Given:
//     tick_of(ns)                    the tick of a time; deadlines are whole ticks here
//     slots_.append(slot, timer)     appends the timer to a slot's list
//     slots_.remove(timer)
//     slots_.first(slot)             the first of the list, or null; the next is timer->behind
//     slots_.occupied(tick, end)     the first tick in [tick, end) whose slot is not empty; end if there is none
//     slots_.turn(slot)              sets the slot under the hand
//     hand_                          the tick of the last check: nothing is due before it
#include "labs/06_timers/wheel_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void WheelStore::insert(Timer&) { kit::not_implemented("6.3", "WheelStore::insert: append to the slot of its tick"); }

void WheelStore::remove(Timer&) { kit::not_implemented("6.3", "WheelStore::remove: remove from its slot"); }

bool WheelStore::is_due(std::uint64_t) const {
    kit::not_implemented(
        "6.3", "WheelStore::is_due: whether a timer in the slot has exactly this tick, not one of a later turn");
}

std::uint64_t WheelStore::first_of_all() const {
    kit::not_implemented("6.3", "WheelStore::first_of_all: find the smallest tick of all timers");
}

std::uint64_t WheelStore::first_tick(std::uint64_t) const {
    kit::not_implemented("6.3", "WheelStore::first_tick: search one turn; search all only if `last` is beyond it");
}

std::uint64_t WheelStore::first_deadline() const {
    kit::not_implemented("6.3", "WheelStore::first_deadline: the first tick, in ns; kNever stays kNever");
}

void WheelStore::empty_slot(std::uint64_t, Expired&) {
    kit::not_implemented("6.3", "WheelStore::empty_slot: remove and push the timers of this turn");
}

void WheelStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.3", "WheelStore::take: empty each slot from the hand to now in which a timer is due");
}

void WheelStore::set_time(std::uint64_t) { kit::not_implemented("6.3", "WheelStore::set_time: move the hand there"); }

}  // namespace fiberscope::lab06
