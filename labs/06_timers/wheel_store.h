// Step 6.3: timing wheels, in which the slot of a timer is computed from its deadline.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab06 {

/// Step of a wheel, ns.
inline constexpr std::uint64_t kTick = kit::kMillisecond;
inline constexpr std::uint64_t tick_of(std::uint64_t ns) noexcept { return ns / kTick; }

/// The number of calls of Slots::first and Slots::occupied on this thread, for tests of the cost of a wheel.
inline constinit thread_local std::uint64_t slots_looked_at = 0;

/// Given: a ring of slots, each a list of timers in order of insertion, and the hand. One bit for each slot tells
/// whether it is empty. Records every change.
class Slots {
  public:
    /// `count` is at most 2^32.
    explicit Slots(const char* name, std::size_t count);

    std::size_t count() const noexcept { return slots_.size(); }
    /// Returns the first timer of a slot; null if it is empty. The next one is timer.behind.
    Timer* first(std::size_t slot) const noexcept {
        ++slots_looked_at;
        return slots_[slot].first;
    }
    /// Appends the timer to the slot's list. Sets timer.place.
    void append(std::size_t slot, Timer& timer);
    void remove(Timer& timer);
    /// Returns the first tick in [from, end) whose slot, tick mod count(), is not empty; `end` if there is none. Skips
    /// empty slots by a bitmap.
    std::uint64_t occupied(std::uint64_t from, std::uint64_t end) const noexcept;

    /// Sets the slot under the hand.
    void turn(std::size_t slot) noexcept { hand_ = slot; }
    /// Records the position of the hand if it has changed.
    void record_hand();

  private:
    /// Returns the first slot from `from` on that is not empty; count() if there is none.
    std::size_t next_occupied(std::size_t from) const noexcept;

    struct Slot {
        Timer* first = nullptr;
        Timer* last = nullptr;
    };
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> bits_;   // set for slots that are not empty
    std::vector<std::uint64_t> words_;  // set for words of bits_ that are not zero
    std::size_t hand_ = 0;
    std::size_t recorded_hand_ = 0;
    kit::RecordedSet set_;
};

/// libco's wheel: 60,000 slots of a millisecond, one turn a minute. A timer is in slot (deadline in ms) mod 60,000,
/// even if its deadline is several turns away: the hand passes it until its turn comes. libco puts such a timer into
/// the last slot, where it expires too early.
class WheelStore : public TimerStore {
  public:
    static constexpr std::size_t kSlots = 60'000;

    WheelStore() : TimerStore(kTick), slots_("timers", kSlots) {}

  protected:
    void insert(Timer& timer) override;
    void remove(Timer& timer) override;
    std::uint64_t first_deadline() const override;
    void take(std::uint64_t now, Expired& expired) override;
    void set_time(std::uint64_t now) override;
    void record_rest() override { slots_.record_hand(); }

    /// Tick of the last check. No timer is due before it.
    std::uint64_t hand_ = 0;

  private:
    /// Returns the first tick from the hand on at which a timer is due if that is not later than `last`, otherwise any
    /// later tick.
    std::uint64_t first_tick(std::uint64_t last) const;
    /// Returns whether a timer in the slot of `tick` is due at `tick`, and not in a later turn.
    bool is_due(std::uint64_t tick) const;
    /// Returns the smallest tick of all timers, however far away.
    std::uint64_t first_of_all() const;
    /// Removes the timers in the slot of `tick` that are due at `tick`.
    void empty_slot(std::uint64_t tick, Expired& expired);

    Slots slots_;
};

/// Step 6.8. Four wheels of 256 slots each: a slot of the first is a tick, a slot of each other is a whole turn of the
/// wheel below it. A timer is in the wheel of the highest byte in which its tick differs from the hand; when the hand
/// enters a slot of a higher wheel, its timers are dealt out to the wheels below. Timers beyond all four wheels (49
/// days) are in `beyond_`, one more slot that is dealt out in the same way. As in the kernel's timers before Linux 4.8.
class LevelStore : public TimerStore {
  public:
    static constexpr std::size_t kLevels = 4;
    static constexpr std::size_t kSlots = 256;

    LevelStore();

  protected:
    void insert(Timer& timer) override;
    void remove(Timer& timer) override;
    std::uint64_t first_deadline() const override;
    void take(std::uint64_t now, Expired& expired) override;
    void set_time(std::uint64_t now) override;
    void record_rest() override;

  private:
    /// The position of the next timers: the lowest wheel with any at the hand or after it, and the slot there. Level
    /// kLevels means beyond all wheels.
    struct Found {
        std::size_t level;
        std::size_t slot;
    };
    Found find_first() const noexcept;
    /// Returns the tick at which the hand enters `found`. Beyond all wheels that is the start of the next 2^32 ticks
    /// with a timer.
    std::uint64_t tick_of_entry(const Found& found) const noexcept;
    /// Returns the level of a tick for the present hand; kLevels for beyond. Not stored in timers, since it can be
    /// computed.
    std::size_t level_of(std::uint64_t tick) const noexcept;
    Slots& slots_of(std::size_t level) noexcept { return level == kLevels ? beyond_ : levels_[level]; }
    /// Moves the hand to `tick`. No timer may have an earlier tick.
    void turn(std::uint64_t tick);
    /// Removes all timers of one slot, and inserts each where it belongs now.
    void deal_out(const Found& found);
    void empty_slot(std::size_t slot, Expired& expired);

    std::uint64_t hand_ = 0;
    std::array<Slots, kLevels> levels_;
    Slots beyond_;
};

}  // namespace fiberscope::lab06
