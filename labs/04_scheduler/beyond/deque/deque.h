// Step 4.19: the M:G scheduler of step 4.8, with a work-stealing deque for each machine in place of a queue and its
// lock. The deque is that of Chase and Lev ("Dynamic Circular Work-Stealing Deque", 2005). Its memory orders are those
// of Lê, Pop, Cohen and Zappa Nardelli ("Correct and Efficient Work-Stealing for Weak Memory Models", 2013), but with
// seq_cst accesses in place of their fences.
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

/// An array that is used around and around: the G at position p stands in slot p modulo the capacity.
class Ring {
  public:
    using Position = std::int64_t;

    /// `capacity`: a power of two.
    explicit Ring(std::size_t capacity);

    std::size_t capacity() const noexcept { return mask_ + 1; }
    /// Relaxed: the deque's `bottom` and `top` order what is in the slots.
    Task* get(Position at) const {
        return slots_[static_cast<std::size_t>(at) & mask_].load(std::memory_order_relaxed);
    }
    void put(Position at, Task* g) { slots_[static_cast<std::size_t>(at) & mask_].store(g, std::memory_order_relaxed); }

  private:
    std::size_t mask_;
    std::unique_ptr<kit::Atomic<Task*>[]> slots_;
};

/// The runnable Gs of a machine: those at the positions from `top` to `bottom` - 1. Its owner pushes and pops at the
/// bottom, without a lock and nearly always without a compare-exchange. Any machine steals at the top, by one.
/// Positions only grow (`bottom` goes back by one in a pop), so none comes twice: 2^63 pushes take 292 years.
class Deque {
  public:
    using Position = Ring::Position;
    static constexpr std::size_t kCapacity = 32;

    explicit Deque(std::size_t capacity = kCapacity);

    // ---- you write --------------------------------------------------------------------------------------------------

    /// The owner: `g` is the newest from now on. If the ring is full it grows first. Throws std::bad_alloc, and then
    /// nothing has changed.
    void push(Task& g);
    /// The owner: the newest leaves. Null if there is none, or if a thief was faster at the last one.
    Task* pop();
    /// Any machine: the oldest leaves. Null if there is none, or if another machine was faster at it: then another one
    /// may be there still.
    Task* steal();
    /// The owner: from now on the ring has twice the capacity, and the Gs from `top` to `bottom` - 1 stand in it, each
    /// at its position. Thieves may still read the old ring: it is left as it is.
    void grow(Position top, Position bottom);

    // ---- given ------------------------------------------------------------------------------------------------------

    /// The same three, and they are recorded in the set of the machine: an insert before any machine can find the G, a
    /// removal when it is surely out. All others use these.
    void insert(Task& g);
    Task* take_newest();
    Task* take_oldest();
    /// How many there are, as far as this machine sees it.
    std::size_t size() const;
    /// For an explorer: as all see it. No choice point.
    std::size_t size_seen_by_all() const noexcept;
    /// For the owner: it alone stores which.
    Ring& ring() const { return *ring_.load(std::memory_order_relaxed); }

    /// See kit::RecordedSet; and an explorer calls its words so.
    void belongs_to(unsigned machine);

  protected:
    /// A ring that lives until the deque ends, for a thief may read one that was replaced long ago. All that were
    /// replaced take less memory together than the one that is used.
    Ring& add_ring(std::size_t capacity);

    // What all write and what the owner writes stand in cache lines of their own.
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

/// What a machine has to itself, but for thieves at the top of the deque. `runnable` is empty, and tells the length of
/// the deque: so park and any_work of step 4.8 know it.
struct GoDeque : LocalQueue {
    explicit GoDeque(unsigned machine);

    Deque gs;
    /// So many of the oldest come before the newest: those that stood there when a G yielded, and that one.
    std::size_t oldest_first = 0;
};

/// The strategy "deque": the machines of step 4.8, which loop, resume and park as you wrote it there.
class GoDeques : public GoScheduler {
  public:
    static constexpr unsigned kGlobalFirst = 8;  ///< of so many turns one begins with the global queue
    static constexpr unsigned kOldest = 4;       ///< of as many, this one takes the oldest

    explicit GoDeques(unsigned machines);

    // ---- you write --------------------------------------------------------------------------------------------------

    /// The G to run next. Of the own deque: the newest, whose memory is warm; but the oldest `oldest_first` times, so
    /// that one that yields lets all others go first; and in turn kOldest of kGlobalFirst, so that Gs which end and
    /// begin others do not keep the oldest waiting. In each kGlobalFirst-th turn the global queue comes before the
    /// deque, else behind it. Then from another machine if that is worth it (worth_helping). Null if there is none.
    Task* next(WorkerPool& sched, Machine& machine) override;
    /// Half of the Gs of another machine, the oldest, one by one; less if others take from there too. The first is
    /// returned, and is in no deque; the others go into the own one (insert). Of one G half is none: that is its
    /// owner's. Asks the machine behind this one first, and so on around. Null if there is none to be had.
    Task* steal_from_others(const Machine& thief);
    /// One that has yielded: into the own deque (insert), behind all that stand there (oldest_first). A parked machine
    /// is called if there is more than this one can run, as in step 4.8; without a lock if there is none to call.
    void push_local(WorkerPool& sched, Machine& machine, Task& g) override;

    // ---- given ------------------------------------------------------------------------------------------------------

    GoDeque& own(unsigned machine) noexcept { return static_cast<GoDeque&>(local(machine)); }
    /// Called by `machine`: into its deque; if there is no memory for a larger ring, into the global queue, which needs
    /// none. So no G is lost that is in no set meanwhile.
    void insert(const Machine& machine, Task& g);
    /// Wakes those whose time has come; then the first of the global queue, or null.
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
