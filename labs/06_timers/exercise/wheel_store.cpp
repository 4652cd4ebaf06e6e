// Step 6.3: the timing wheel. The contracts are in ../timer.h and ../wheel_store.h; what you are given:
//
//     tick_of(ns)                    which tick a moment belongs to; deadlines are whole ticks here
//     slots_.append(slot, timer)     to the end of a slot's list
//     slots_.remove(timer)
//     slots_.first(slot)             the first of the list, or null; the next is timer->behind
//     slots_.occupied(tick, end)     the first tick in [tick, end) whose slot is not empty; end if there is none
//     slots_.turn(slot)              where the hand points
//     hand_                          the tick of the last look: nothing is due before it
#include "labs/06_timers/wheel_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void WheelStore::insert(Timer&) { kit::not_implemented("6.3", "WheelStore::insert: into the slot of its tick"); }

void WheelStore::remove(Timer&) { kit::not_implemented("6.3", "WheelStore::remove: out of its slot"); }

bool WheelStore::is_due(std::uint64_t) const {
    kit::not_implemented("6.3",
                         "WheelStore::is_due: whether one in the slot has just this tick, and not one of a later turn");
}

std::uint64_t WheelStore::first_of_all() const {
    kit::not_implemented("6.3", "WheelStore::first_of_all: the smallest tick of all timers");
}

std::uint64_t WheelStore::first_tick(std::uint64_t) const {
    kit::not_implemented("6.3",
                         "WheelStore::first_tick: around the wheel once; of all only if `last` lies behind the turn");
}

std::uint64_t WheelStore::first_deadline() const {
    kit::not_implemented("6.3", "WheelStore::first_deadline: the first tick, in ns; kNever stays kNever");
}

void WheelStore::empty_slot(std::uint64_t, Expired&) {
    kit::not_implemented("6.3", "WheelStore::empty_slot: those of this turn leave the slot and are pushed");
}

void WheelStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.3", "WheelStore::take: from the hand to now, each slot in which a timer is due is emptied");
}

void WheelStore::set_time(std::uint64_t) { kit::not_implemented("6.3", "WheelStore::set_time: the hand goes there"); }

}  // namespace fiberscope::lab06
