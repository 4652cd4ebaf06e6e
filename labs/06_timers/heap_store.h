// Step 6.2: a binary heap in an array, which knows where each of its timers stands.
#pragma once

#include <cstddef>
#include <vector>

#include "labs/06_timers/timer.h"

namespace fiberscope::lab06 {

/// Given: the array. Every place that is written is recorded, and the timer that stands there learns its place.
class HeapArray {
  public:
    /// The key stands beside the pointer, so that to compare two needs no look at the timers.
    struct Entry {
        std::uint64_t deadline;
        std::uint64_t order;
        Timer* timer;
    };

    std::size_t size() const noexcept { return entries_.size(); }
    bool empty() const noexcept { return entries_.empty(); }
    const Entry& operator[](std::size_t place) const noexcept { return entries_[place]; }

    /// One place more, at the end, for a new timer.
    void append(Timer& timer);
    /// Writes an entry into a place that there is; the one that stood there is overwritten. With no such place the
    /// program ends with a sentence that says so.
    void put(std::size_t place, const Entry& entry) {
        if (place >= entries_.size()) [[unlikely]]
            abort_no_place(place);
        if (trace::recording() && entry.timer->place != place) [[unlikely]]
            set_.moved(entry.timer->item(), static_cast<std::int64_t>(place));
        entries_[place] = entry;
        entry.timer->place = place;
    }
    /// One place less: `leaving` is no longer a member. Returns what stood in the last place. Unless that is `leaving`
    /// itself, its old place is a hole now, and the returned entry must be put somewhere.
    Entry shrink(Timer& leaving);

  private:
    [[noreturn, gnu::cold, gnu::noinline]] void abort_no_place(std::size_t place) const;

    std::vector<Entry> entries_;
    kit::RecordedSet set_{"timers", trace::Role::timer, trace::Structure::heap, "deadline, ns"};
};

/// A min-heap by (deadline, order): no parent expires after its children. To look at the first costs O(1), all else
/// O(log n). sylar calls its manager's set a minimum heap (its std::set is a red-black tree); netco's is a real one.
class HeapStore : public TimerStore {
  public:
    HeapStore() : TimerStore(1) {}

  protected:
    void insert(Timer& timer) override;
    void remove(Timer& timer) override;
    std::uint64_t first_deadline() const override;
    void take(std::uint64_t now, Expired& expired) override;

  private:
    /// `place` is a hole, and `entry` is to be put: moves parents down into the hole until `entry` may stand there.
    void rise(std::size_t place, const HeapArray::Entry& entry);
    /// The same downwards: moves the earlier child up into the hole.
    void sink(std::size_t place, const HeapArray::Entry& entry);

    HeapArray array_;
};

}  // namespace fiberscope::lab06
