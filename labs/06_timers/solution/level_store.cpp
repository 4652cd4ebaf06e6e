#include <algorithm>
#include <bit>

#include "labs/06_timers/wheel_store.h"

namespace fiberscope::lab06 {

namespace {

constexpr std::uint64_t byte_of(std::uint64_t tick, std::size_t level) { return tick >> 8 * level & 0xff; }

}  // namespace

std::size_t LevelStore::level_of(std::uint64_t tick) const noexcept {
    const std::uint64_t differs = tick ^ hand_;
    if (differs == 0) return 0;
    return std::min<std::size_t>(kLevels, static_cast<std::size_t>(std::bit_width(differs) - 1) / 8);
}

void LevelStore::insert(Timer& timer) {
    const std::uint64_t tick = tick_of(timer.deadline);
    const std::size_t level = level_of(tick);
    slots_of(level).append(level == kLevels ? 0 : byte_of(tick, level), timer);
}

void LevelStore::remove(Timer& timer) { slots_of(level_of(tick_of(timer.deadline))).remove(timer); }

LevelStore::Found LevelStore::find_first() const noexcept {
    for (std::size_t level = 0; level < kLevels; ++level) {
        const std::size_t from = byte_of(hand_, level) + (level == 0 ? 0 : 1);
        const std::uint64_t slot = levels_[level].occupied(from, kSlots);
        if (slot < kSlots) return {level, slot};
    }
    return {kLevels, 0};
}

std::uint64_t LevelStore::tick_of_entry(const Found& found) const noexcept {
    if (found.level < kLevels) {
        const std::uint64_t above = hand_ >> 8 * (found.level + 1);
        return (above << 8 | found.slot) << 8 * found.level;
    }
    std::uint64_t first = kNever;
    for (const Timer* timer = beyond_.first(0); timer != nullptr; timer = timer->behind)
        first = std::min(first, tick_of(timer->deadline));
    return first >> 8 * kLevels << 8 * kLevels;
}

std::uint64_t LevelStore::first_deadline() const {
    const Found found = find_first();
    const Slots& slots = found.level == kLevels ? beyond_ : levels_[found.level];
    std::uint64_t first = kNever;
    for (const Timer* timer = slots.first(found.slot); timer != nullptr; timer = timer->behind) {
        first = std::min(first, timer->deadline);
        if (found.level == 0) break;  // all timers in a slot of the first wheel are due together
    }
    return first;
}

void LevelStore::turn(std::uint64_t tick) {
    hand_ = tick;
    for (std::size_t level = 0; level < kLevels; ++level) levels_[level].turn(byte_of(tick, level));
}

void LevelStore::deal_out(const Found& found) {
    Slots& slots = slots_of(found.level);
    Timer* behind = nullptr;
    for (Timer* timer = slots.first(found.slot); timer != nullptr; timer = behind) {
        behind = timer->behind;
        if (level_of(tick_of(timer->deadline)) == found.level) continue;  // still beyond
        slots.remove(*timer);
        insert(*timer);
    }
}

void LevelStore::empty_slot(std::size_t slot, Expired& expired) {
    while (Timer* timer = levels_[0].first(slot)) {
        levels_[0].remove(*timer);
        expired.push(*timer);
    }
}

void LevelStore::take(std::uint64_t now, Expired& expired) {
    while (!empty()) {
        const Found found = find_first();
        const std::uint64_t tick = tick_of_entry(found);
        if (tick > tick_of(now)) break;
        turn(tick);
        if (found.level == 0)
            empty_slot(found.slot, expired);
        else
            deal_out(found);
    }
    turn(tick_of(now));
}

void LevelStore::set_time(std::uint64_t now) { turn(tick_of(now)); }

}  // namespace fiberscope::lab06
