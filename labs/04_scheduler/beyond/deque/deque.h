// Step 4.19: the M:G scheduler of step 4.8, with a work-stealing deque per machine instead of a queue with a lock. The
// deque is that of Chase and Lev ("Dynamic Circular Work-Stealing Deque", 2005). Its memory orders are those of Lê,
// Pop, Cohen and Zappa Nardelli ("Correct and Efficient Work-Stealing for Weak Memory Models", 2013), but with seq_cst
// accesses instead of their fences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/machines/atomic.h"
#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::lab04 {

/// A circular array: the G at position p is in slot p modulo the capacity.
class Ring {
  public:
    using Position = std::int64_t;

    /// `capacity`: a power of two.
    explicit Ring(std::size_t capacity);

    std::size_t capacity() const noexcept { return mask_ + 1; }
    /// Relaxed: accesses to the slots are ordered by the deque's `bottom` and `top`.
    Task* get(Position at) const {
        return slots_[static_cast<std::size_t>(at) & mask_].load(std::memory_order_relaxed);
    }
    void put(Position at, Task* g) { slots_[static_cast<std::size_t>(at) & mask_].store(g, std::memory_order_relaxed); }

  private:
    std::size_t mask_;
    std::unique_ptr<kit::Atomic<Task*>[]> slots_;
};

/// The runnable Gs of a machine, at the positions from `top` to `bottom` - 1. The owner pushes and pops at the bottom,
/// without a lock and nearly always without a compare-exchange. Any machine steals at the top, one at a time. Positions
/// only grow (a pop decrements `bottom` by one) and do not wrap around: 2^63 pushes take 292 years.
class Deque {
  public:
    using Position = Ring::Position;
    static constexpr std::size_t kCapacity = 32;

    explicit Deque(std::size_t capacity = kCapacity);

    // ---- you write --------------------------------------------------------------------------------------------------

    /// Owner only. Pushes `g` as the newest. Grows the ring first if it is full. Throws std::bad_alloc without effect.
    void push(Task& g);
    /// Owner only. Removes and returns the newest; null if empty, or if a thief was faster at the last one.
    Task* pop();
    /// Any machine. Removes and returns the oldest; null if empty, or if another machine was faster: then there may
    /// still be others.
    Task* steal();
    /// Owner only. Replaces the ring by one of twice the capacity, with the Gs from `top` to `bottom` - 1 at the same
    /// positions. The old ring is left unchanged, because thieves may still read it.
    void grow(Position top, Position bottom);

    // ---- given ------------------------------------------------------------------------------------------------------

    /// The same three with recording in the machine's set: an insert before any machine can find the G, a removal once
    /// it is certain. Used by all other code.
    void insert(Task& g);
    Task* take_newest();
    Task* take_oldest();
    /// Number of Gs as seen by this machine.
    std::size_t size() const;
    /// For an explorer: the exact number. Not a choice point.
    std::size_t size_seen_by_all() const noexcept;
    /// Owner only: no other machine stores it.
    Ring& ring() const { return *ring_.load(std::memory_order_relaxed); }

    /// See kit::RecordedSet; also names the atomics for an explorer.
    void belongs_to(unsigned machine);

  protected:
    /// Allocates a ring that lives as long as the deque, because a thief may read one that was replaced long ago. All
    /// replaced rings together need less memory than the current one.
    Ring& add_ring(std::size_t capacity);

    // Separate cache lines for the field that all write and those that only the owner writes.
    alignas(64) kit::Atomic<Position> top_{0};
    alignas(64) kit::Atomic<Position> bottom_{0};  // only the owner stores it
    kit::Atomic<Ring*> ring_{nullptr};             // only the owner stores it

  private:
    [[gnu::cold, gnu::noinline]] void insert_recorded(Task& g);
    [[gnu::cold, gnu::noinline]] void record_removal(Task& g);
    Task* leaves(Task* g);
    std::vector<std::unique_ptr<Ring>> rings_;
    kit::RecordedSet set_{"runnable", trace::Role::ready, trace::Structure::queue};
};

/// State of a machine, private except for thieves at the top of the deque. `runnable` is empty, but reports the length
/// of the deque, for park and any_work of step 4.8.
struct GoDeque : LocalQueue {
    explicit GoDeque(unsigned machine);

    Deque gs;
    /// This many of the oldest Gs run before the newest: those that were there when a G yielded, and that G.
    std::size_t oldest_first = 0;
};

/// The strategy "deque": the machines of step 4.8, with your loop, resume and park.
class GoDeques : public GoScheduler {
  public:
    static constexpr unsigned kGlobalFirst = 8;  ///< one turn in this many begins with the global queue
    static constexpr unsigned kOldest = 4;       ///< the turn among these that takes the oldest

    explicit GoDeques(unsigned machines);

    // ---- you write --------------------------------------------------------------------------------------------------

    /// Returns the G to run next, or null. From the own deque: the newest, whose memory is in the cache; but the oldest
    /// for `oldest_first` turns, so that a yielding G lets all others run first, and in turn kOldest of kGlobalFirst,
    /// so that Gs that end and create others do not starve the oldest. The global queue comes before the deque in each
    /// kGlobalFirst-th turn, otherwise after it. Finally steals from another machine if that is worthwhile
    /// (worth_helping).
    Task* next(WorkerPool& sched, Machine& machine) override;
    /// Steals the oldest half of the Gs of another machine, one by one; fewer if others steal there too. Returns the
    /// first, which is in no deque; the others are inserted into the own deque. A single G is left to its owner. Tries
    /// the machine after this one first, and so on around. Null if nothing could be stolen.
    Task* steal_from_others(const Machine& thief);
    /// Inserts a G that has yielded into the own deque, to run after all Gs in it (oldest_first). Unparks a machine if
    /// there is more than this one can run, as in step 4.8; acquires no lock if none is idle.
    void push_local(WorkerPool& sched, Machine& machine, Task& g) override;

    // ---- given ------------------------------------------------------------------------------------------------------

    GoDeque& own(unsigned machine) noexcept { return static_cast<GoDeque&>(local(machine)); }
    /// Called by `machine`: inserts `g` into its deque, or, if no larger ring can be allocated, into the global queue,
    /// which needs no memory. So no G is lost.
    void insert(const Machine& machine, Task& g);
    /// Wakes expired Gs; then removes and returns the first of the global queue, or null.
    static Task* take_global(WorkerPool& sched) KIT_EXCLUDES(sched.lock());

    void make_new_ready_shared(WorkerPool& sched, Task& g) override KIT_REQUIRES(sched.lock());
    std::string work_for(WorkerPool& sched, unsigned machine) override;

  protected:
    void give_back(Scheduler& scheduler) override;

  private:
    bool inserted(unsigned machine, Task& g);

    std::vector<std::unique_ptr<GoDeque>> own_;
};

}  // namespace fiberscope::lab04
