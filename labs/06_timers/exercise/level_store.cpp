// Step 6.8: the wheel of four levels. The contracts are in ../timer.h and ../wheel_store.h. Given:
//     levels_[level], beyond_    the wheels, and a slot for all later timers: append, remove, first, occupied, turn
//     slots_of(level)            one of these by number; kLevels is beyond_
//     hand_                      the tick of the last check
#include "labs/06_timers/wheel_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

std::size_t LevelStore::level_of(std::uint64_t) const noexcept {
    kit::not_implemented("6.8", "LevelStore::level_of: find the highest byte in which the tick differs from the hand");
}

void LevelStore::insert(Timer&) { kit::not_implemented("6.8", "LevelStore::insert: append to the slot of its level"); }

void LevelStore::remove(Timer&) {
    kit::not_implemented("6.8", "LevelStore::remove: remove from the slot of its level");
}

LevelStore::Found LevelStore::find_first() const noexcept {
    kit::not_implemented("6.8",
                         "LevelStore::find_first: find the lowest level with an occupied slot at the hand or after it");
}

std::uint64_t LevelStore::tick_of_entry(const Found&) const noexcept {
    kit::not_implemented("6.8", "LevelStore::tick_of_entry: the bytes of the hand above, the slot, and zeros below");
}

std::uint64_t LevelStore::first_deadline() const {
    kit::not_implemented(
        "6.8", "LevelStore::first_deadline: that of the first occupied slot; at level 0 all its timers have it");
}

void LevelStore::turn(std::uint64_t) { kit::not_implemented("6.8", "LevelStore::turn: move the hands of all wheels"); }

void LevelStore::deal_out(const Found&) {
    kit::not_implemented("6.8", "LevelStore::deal_out: move each timer of the slot to where it belongs now");
}

void LevelStore::empty_slot(std::size_t, Expired&) {
    kit::not_implemented("6.8", "LevelStore::empty_slot: remove and push all timers of a slot of the first wheel");
}

void LevelStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.8", "LevelStore::take: until now: find the first, go there, deal out or empty");
}

void LevelStore::set_time(std::uint64_t) { kit::not_implemented("6.8", "LevelStore::set_time: move the hands there"); }

}  // namespace fiberscope::lab06
