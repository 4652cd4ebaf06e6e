// Step 6.1: a timer, and the interface of all stores of timers.
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

using kit::kNever;  // no deadline; never expires

class TimerStore;

/// A timer: a deadline, and intrusive hooks for every kind of store, so that setting one allocates no memory. Must not
/// be moved or destroyed while it is in a store.
struct alignas(64) Timer {
    Timer() = default;
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    std::uint64_t deadline = 0;   ///< ns, as rounded by TimerStore::add
    std::uint64_t order = 0;      ///< sequence number of the insertion
    TimerStore* store = nullptr;  ///< the store that contains it, or null
    std::size_t place = 0;        ///< index in a heap, or slot of a wheel
    Timer* before = nullptr;      ///< neighbours in a wheel's slot
    Timer* behind = nullptr;
    kit::TreeNode tree_node;  ///< hook in a tree

    std::uint64_t period = 0;  ///< ns, 0 if it fires once; for the trace only

    kit::Item item();

  private:
    friend class TimerStore;
    std::uint32_t id_ = trace::kNone;  // assigned when a trace first names it
    std::uint32_t co_ = trace::kNone;  // the coroutine that first set it
    trace::CausalStamp touch_;
};

/// Returns whether `a` expires before `b`, by (deadline, order). The order of every store.
bool expires_before(const Timer& a, const Timer& b);
/// The key of a timer in a trace: "12000 ns".
std::string deadline_in_words(const Timer& timer);

/// Collects the expired timers of a store, in order.
class Expired {
  public:
    /// `timer` must already be removed from the store's structure.
    void push(Timer& timer);

  private:
    friend class TimerStore;
    Expired(TimerStore& store, std::vector<Timer*>& out, std::uint64_t due = kNever) noexcept
        : store_(store), out_(out), due_(due) {}
    TimerStore& store_;
    std::vector<Timer*>& out_;
    std::uint64_t due_;  // ns: the time at which all count as due; kNever: each at its deadline
};

/// Keeps timers until they expire. Does not own them. Not thread-safe.
class TimerStore {
  public:
    virtual ~TimerStore() = default;
    TimerStore(const TimerStore&) = delete;
    TimerStore& operator=(const TimerStore&) = delete;

    /// Adds `timer` with a deadline in ns. A deadline before the last take_expired(now) counts as that `now`: the timer
    /// expires at the next check, after those already due. Deadlines are rounded up to the store's resolution, so
    /// timers are never early. Throws std::logic_error if the timer is already in a store.
    void add(Timer& timer, std::uint64_t deadline);
    /// Removes the timer. Returns false and does nothing if it is not in this store.
    bool cancel(Timer& timer);
    /// Sets a new deadline, as if the timer were cancelled and added. Returns false and does nothing if it is not in
    /// this store.
    bool refresh(Timer& timer, std::uint64_t deadline);
    /// Returns the first deadline, ns; kNever if there is none. Cached; first_deadline is called only if it may have
    /// changed.
    std::uint64_t next_deadline() const;
    /// Removes all timers whose deadline is not later than `now` (ns), in the order of expires_before, and appends them
    /// to `out`. A `now` before that of the last call counts as the latter.
    void take_expired(std::uint64_t now, std::vector<Timer*>& out);
    /// Removes all timers, as if they had expired. The store's time is `now` afterwards, which may be earlier than
    /// before.
    void take_all(std::uint64_t now, std::vector<Timer*>& out);

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    /// Granularity of the deadlines, ns.
    std::uint64_t resolution() const noexcept { return resolution_; }

  protected:
    explicit TimerStore(std::uint64_t resolution) noexcept : resolution_(resolution) {}

    // ---- implemented by each store: steps 6.1 to 6.3 ----------------------------------------------------------------

    /// Inserts a timer whose deadline and order are set.
    virtual void insert(Timer& timer) = 0;
    /// Removes a timer that is in the store.
    virtual void remove(Timer& timer) = 0;
    /// Returns the first deadline. Called only if the store is not empty.
    virtual std::uint64_t first_deadline() const = 0;
    /// Removes all timers whose deadline is not later than `now`, in order, and passes each to expired.push after its
    /// removal.
    virtual void take(std::uint64_t now, Expired& expired) = 0;
    /// Sets the store's time to `now`, which may be earlier than before. Called only if the store is empty.
    virtual void set_time(std::uint64_t now) { static_cast<void>(now); }
    /// Called at the end of take, for the trace.
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
    std::uint64_t time_ = 0;  // `now` of the last take_expired
    std::uint64_t order_ = 0;
    std::size_t size_ = 0;
    mutable std::uint64_t next_ = kNever;  // the first deadline, if next_known_
    mutable bool next_known_ = true;
};

/// Creates a store: "tree", "heap", "wheel" or "levels". Throws std::invalid_argument, which lists these, for another
/// name.
std::unique_ptr<TimerStore> make_store(std::string_view name);

}  // namespace fiberscope::lab06
