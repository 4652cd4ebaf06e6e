// Step 6.1: a timer, and the one interface of everything that keeps timers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "labs/kit/sets/recorded_set.h"
#include "labs/kit/sets/tree.h"
#include "labs/kit/time/never.h"

namespace fiberscope::lab06 {

using kit::kNever;  // no deadline: it never expires

class TimerStore;

/// What a store keeps: a moment, and the places in whichever store it is in. It lies in its user's object, so that to
/// set one costs no memory. Must stay where it is while it is in a store, and must not be destroyed there.
struct alignas(64) Timer {
    Timer() = default;
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    std::uint64_t deadline = 0;   ///< ns, as the store keeps it: see TimerStore::add
    std::uint64_t order = 0;      ///< a timer that was added earlier has the smaller number
    TimerStore* store = nullptr;  ///< where it is; null: in none
    std::size_t place = 0;        ///< index in a heap, or slot of a wheel
    Timer* before = nullptr;      ///< neighbours in a wheel's slot
    Timer* behind = nullptr;
    kit::TreeNode tree_node;  ///< in a tree

    std::uint64_t period = 0;  ///< ns; only for the trace: 0 if it fires once

    kit::Item item();

  private:
    friend class TimerStore;
    std::uint32_t id_ = trace::kNone;  // given out when a trace first names it
    std::uint32_t co_ = trace::kNone;  // the coroutine that set it first
    trace::CausalStamp touch_;
};

/// The rule of every store: whether `a` expires before `b`. By (deadline, order).
bool expires_before(const Timer& a, const Timer& b);
/// The key of a timer in a trace: "12000 ns".
std::string deadline_in_words(const Timer& timer);

/// Where a store puts the timers that have expired, one after the other.
class Expired {
  public:
    /// `timer` must be in no place of its store any more.
    void push(Timer& timer);

  private:
    friend class TimerStore;
    Expired(TimerStore& store, std::vector<Timer*>& out, std::uint64_t due = kNever) noexcept
        : store_(store), out_(out), due_(due) {}
    TimerStore& store_;
    std::vector<Timer*>& out_;
    std::uint64_t due_;  // ns: when all of them count as due, whatever their deadlines; kNever: by their deadlines
};

/// Keeps timers until they expire. Owns none of them. Not for several threads.
class TimerStore {
  public:
    virtual ~TimerStore() = default;
    TimerStore(const TimerStore&) = delete;
    TimerStore& operator=(const TimerStore&) = delete;

    /// `deadline`: ns. One that lies before the last take_expired(now) counts as that `now`: it expires at the next
    /// look, behind those that are due already. It is rounded up to the store's resolution: late by less than that,
    /// never early. Throws std::logic_error if the timer is in a store already.
    void add(Timer& timer, std::uint64_t deadline);
    /// False, and nothing happens, if it is not in this store.
    bool cancel(Timer& timer);
    /// A new deadline, as if it were cancelled and added. False, and nothing happens, if it is not in this store.
    bool refresh(Timer& timer, std::uint64_t deadline);
    /// The first deadline, ns; kNever if there is none. The store is asked again only when the answer may have changed.
    std::uint64_t next_deadline() const;
    /// Takes out all whose deadline is not later than `now` (ns), in the order of expires_before, and appends them to
    /// `out`. `now` may not be smaller than the last time: what is smaller counts as that.
    void take_expired(std::uint64_t now, std::vector<Timer*>& out);
    /// Takes out all there are, as if all had expired; from here on it is `now`, which may lie before the last time.
    void take_all(std::uint64_t now, std::vector<Timer*>& out);

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    /// ns: deadlines are whole multiples of it.
    std::uint64_t resolution() const noexcept { return resolution_; }

  protected:
    explicit TimerStore(std::uint64_t resolution) noexcept : resolution_(resolution) {}

    // ---- what each store writes for itself: steps 6.1 to 6.3 --------------------------------------------------------

    /// Takes in a timer whose deadline and order are set.
    virtual void insert(Timer& timer) = 0;
    /// Lets one go that is in it.
    virtual void remove(Timer& timer) = 0;
    /// The first deadline. The store is not empty.
    virtual std::uint64_t first_deadline() const = 0;
    /// Takes out all whose deadline is not later than `now`, in order: each leaves its place, then expired.push(it).
    virtual void take(std::uint64_t now, Expired& expired) = 0;
    /// Only of an empty store: it is `now` from here on, whatever it was.
    virtual void set_time(std::uint64_t now) { static_cast<void>(now); }
    /// What is recorded at the end of take.
    virtual void record_rest() {}

  private:
    friend class Expired;
    enum class What : std::uint8_t { add, refresh, cancel, fire };
    void put_in(Timer& timer, std::uint64_t deadline, What what);
    void remove_and_count(Timer& timer);
    std::uint64_t rounded(std::uint64_t deadline) const noexcept;
    void take_until(std::uint64_t limit, Expired&& expired);
    void record(Timer& timer, What what, std::uint64_t due = kNever) const;

    std::uint64_t resolution_;
    std::uint64_t time_ = 0;  // of the last look
    std::uint64_t order_ = 0;
    std::size_t size_ = 0;
    mutable std::uint64_t next_ = kNever;  // the first deadline, if next_known_
    mutable bool next_known_ = true;
};

/// "tree", "heap", "wheel", "levels": a new one. Throws std::invalid_argument, with the names that there are.
std::unique_ptr<TimerStore> make_store(std::string_view name);

}  // namespace fiberscope::lab06
