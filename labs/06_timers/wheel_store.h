// Step 6.3: timing wheels. A deadline says at once in which slot a timer lies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab06 {

/// ns: what a wheel moves on by at once.
inline constexpr std::uint64_t kTick = kit::kMillisecond;
inline constexpr std::uint64_t tick_of(std::uint64_t ns) noexcept { return ns / kTick; }

/// How often this thread has looked into a slot or for one: calls of Slots::first and Slots::occupied. For tests that
/// count what a wheel costs.
inline constinit thread_local std::uint64_t slots_looked_at = 0;

/// Given: a ring of slots, each a list of timers in the order in which they came, and the hand. It knows which slots
/// are empty, one bit for each. Every change is recorded.
class Slots {
  public:
    /// `count`: at most 2^32.
    explicit Slots(const char* name, std::size_t count);

    std::size_t count() const noexcept { return slots_.size(); }
    /// The first in a slot; null if it is empty. The next one is timer.behind.
    Timer* first(std::size_t slot) const noexcept {
        ++slots_looked_at;
        return slots_[slot].first;
    }
    /// To the end of the slot's list. Sets timer.place.
    void append(std::size_t slot, Timer& timer);
    void remove(Timer& timer);
    /// The first of the ticks from `from` on and before `end` whose slot, tick mod count(), is not empty; `end` if
    /// there is none. Empty slots cost next to nothing.
    std::uint64_t occupied(std::uint64_t from, std::uint64_t end) const noexcept;

    /// Where the hand points.
    void turn(std::size_t slot) noexcept { hand_ = slot; }
    /// Records where the hand points now, if that is not known yet.
    void record_hand();

  private:
    /// The first slot from `from` on that is not empty; count() if there is none.
    std::size_t next_occupied(std::size_t from) const noexcept;

    struct Slot {
        Timer* first = nullptr;
        Timer* last = nullptr;
    };
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> bits_;   // which slots are not empty
    std::vector<std::uint64_t> words_;  // which words of bits_ are not zero
    std::size_t hand_ = 0;
    std::size_t recorded_hand_ = 0;
    kit::RecordedSet set_;
};

/// libco's wheel: 60,000 slots of a millisecond, one turn a minute. A timer lies in slot (deadline in ms) mod 60,000,
/// also one whose deadline is turns away: the hand passes it by until its turn has come. libco puts such a one into the
/// last slot, where it is found too early.
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

    /// Nothing in it is due before this tick. At this tick the last look was.
    std::uint64_t hand_ = 0;

  private:
    /// The first tick from the hand on at which a timer is due, if it is not later than `last`; else any that is later.
    std::uint64_t first_tick(std::uint64_t last) const;
    /// Whether a timer in the slot of `tick` is due in this turn of the wheel.
    bool is_due(std::uint64_t tick) const;
    /// The first tick of all, however far away.
    std::uint64_t first_of_all() const;
    /// Takes out those in the slot of `tick` that are due at `tick`.
    void empty_slot(std::uint64_t tick, Expired& expired);

    Slots slots_;
};

/// Step 6.8. Four wheels of 256 slots each: a slot of the first is a tick, one of the next is a whole turn of the wheel
/// before it. A timer lies in the wheel of the highest byte in which its tick differs from the hand's; when the hand
/// enters a slot of a higher wheel, its timers are dealt out to the wheels below. Further away than all four (49 days)
/// is `beyond_`, one more slot that is dealt out in the same way. As in the kernel's timers, before 4.8.
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
    /// Where the next timers are: the lowest wheel that has any at the hand or behind it, and the slot there. With
    /// level kLevels: beyond all wheels. The store is not empty.
    struct Found {
        std::size_t level;
        std::size_t slot;
    };
    Found find_first() const noexcept;
    /// The tick at which the hand enters what was found. Beyond all wheels that is where the next 2^32 ticks begin in
    /// which a timer is due.
    std::uint64_t tick_of_entry(const Found& found) const noexcept;
    /// Which wheel a tick belongs to as the hand stands; kLevels: beyond. timer.level is not kept: it follows from
    /// this.
    std::size_t level_of(std::uint64_t tick) const noexcept;
    Slots& slots_of(std::size_t level) noexcept { return level == kLevels ? beyond_ : levels_[level]; }
    /// The hand goes to `tick`, which no timer's tick is before.
    void turn(std::uint64_t tick);
    /// Takes all out of one slot, and puts each where it belongs now.
    void deal_out(const Found& found);
    void empty_slot(std::size_t slot, Expired& expired);

    std::uint64_t hand_ = 0;
    std::array<Slots, kLevels> levels_;
    Slots beyond_;
};

}  // namespace fiberscope::lab06
