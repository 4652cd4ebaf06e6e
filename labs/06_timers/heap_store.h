// Step 6.2: a binary heap in an array; each timer knows its place in it.
#pragma once

#include <cstddef>
#include <vector>

#include "labs/06_timers/timer.h"

namespace fiberscope::lab06 {

/// Given: the array. Records each write and stores the place in the timer.
class HeapArray {
  public:
    /// The key is stored next to the pointer, so that comparisons do not access the timers.
    struct Entry {
        std::uint64_t deadline;
        std::uint64_t order;
        Timer* timer;
    };

    std::size_t size() const noexcept { return entries_.size(); }
    bool empty() const noexcept { return entries_.empty(); }
    const Entry& operator[](std::size_t place) const noexcept { return entries_[place]; }

    /// Appends a place for a new timer.
    void append(Timer& timer);
    /// Writes an entry into an existing place and overwrites the old one. Aborts with a message if the place does not
    /// exist.
    void put(std::size_t place, const Entry& entry) {
        if (place >= entries_.size()) [[unlikely]]
            abort_no_place(place);
        if (trace::recording() && entry.timer->place != place) [[unlikely]]
            set_.moved(entry.timer->item(), static_cast<std::int64_t>(place));
        entries_[place] = entry;
        entry.timer->place = place;
    }
    /// Removes the last place and the membership of `leaving`. Returns the entry of the last place. Unless that is
    /// `leaving` itself, the old place of `leaving` is now a hole, and the returned entry must be put somewhere.
    Entry shrink(Timer& leaving);

  private:
    [[noreturn, gnu::cold, gnu::noinline]] void abort_no_place(std::size_t place) const;

    std::vector<Entry> entries_;
    kit::RecordedSet set_{"timers", trace::Role::timer, trace::Structure::heap, "deadline, ns"};
};

/// A min-heap by (deadline, order): no parent expires after its children. The first deadline takes O(1), everything
/// else O(log n). sylar calls its manager's set a minimum heap (its std::set is a red-black tree); netco's is a real
/// heap.
class HeapStore : public TimerStore {
  public:
    HeapStore() : TimerStore(1) {}

  protected:
    void insert(Timer& timer) override;
    void remove(Timer& timer) override;
    std::uint64_t first_deadline() const override;
    void take(std::uint64_t now, Expired& expired) override;

  private:
    /// Puts `entry` into the hole at `place` or above it: moves parents down into the hole until `entry` fits.
    void rise(std::size_t place, const HeapArray::Entry& entry);
    /// Puts `entry` into the hole at `place` or below it: moves the earlier child up into the hole until `entry` fits.
    void sink(std::size_t place, const HeapArray::Entry& entry);

    HeapArray array_;
};

}  // namespace fiberscope::lab06
