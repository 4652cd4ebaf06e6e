// Step 6.8: the wheel of four levels. The contracts are in ../timer.h and ../wheel_store.h; what you are given:
//
//     levels_[level], beyond_    the wheels, and one slot for all further away: append, remove, first, occupied, turn
//     slots_of(level)            the same by number; kLevels is beyond_
//     hand_                      the tick of the last look
#include "labs/06_timers/wheel_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

std::size_t LevelStore::level_of(std::uint64_t) const noexcept {
    kit::not_implemented("6.8", "LevelStore::level_of: the highest byte in which the tick differs from the hand");
}

void LevelStore::insert(Timer&) { kit::not_implemented("6.8", "LevelStore::insert: into the slot of its level"); }

void LevelStore::remove(Timer&) { kit::not_implemented("6.8", "LevelStore::remove: out of the slot of its level"); }

LevelStore::Found LevelStore::find_first() const noexcept {
    kit::not_implemented("6.8", "LevelStore::find_first: the lowest level that has a slot at the hand or behind it");
}

std::uint64_t LevelStore::tick_of_entry(const Found&) const noexcept {
    kit::not_implemented("6.8", "LevelStore::tick_of_entry: the bytes of the hand above, the slot, and zeros below");
}

std::uint64_t LevelStore::first_deadline() const {
    kit::not_implemented(
        "6.8", "LevelStore::first_deadline: of the first slot that is not empty; at level 0 the first tells it");
}

void LevelStore::turn(std::uint64_t) { kit::not_implemented("6.8", "LevelStore::turn: the hands of all wheels"); }

void LevelStore::deal_out(const Found&) {
    kit::not_implemented("6.8", "LevelStore::deal_out: each timer of the slot to where it belongs now");
}

void LevelStore::empty_slot(std::size_t, Expired&) {
    kit::not_implemented("6.8", "LevelStore::empty_slot: all of a slot of the first wheel leave it and are pushed");
}

void LevelStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.8", "LevelStore::take: find the first, go there, deal out or empty; until now");
}

void LevelStore::set_time(std::uint64_t) { kit::not_implemented("6.8", "LevelStore::set_time: the hands go there"); }

}  // namespace fiberscope::lab06
