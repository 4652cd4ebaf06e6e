// Steps 4.6 to 4.8: support for loops of several machines. A loop holds the scheduler's lock, and releases it only
// while a task runs and while the machine waits. Functions that require the lock are annotated (clang -Wthread-safety).
// The decisions of a strategy are in shared_strategy.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/parts/scheduler_parts.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/atomic.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/machines.h"

namespace fiberscope::lab04 {

class SchedulerLock;
class SharedStrategy;

/// The part of a scheduler that the loops of several machines use: Scheduler::shared().
class WorkerPool {
  public:
    WorkerPool(Scheduler& sched, Strategy& strategy) noexcept;
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Guards the scheduler, its sets, and the members below. Acquired by SchedulerLock.
    kit::Lock& lock() noexcept KIT_RETURN_CAPABILITY(lock_) { return lock_; }
    Scheduler& scheduler() noexcept { return sched_; }
    ReadyQueue& ready() noexcept KIT_REQUIRES(lock()) { return sched_.ready(); }
    const Settings& settings() const noexcept { return sched_.settings(); }
    /// Whether threads other than the scheduler's own may use it.
    bool has_several_threads() const noexcept { return strategy_ != nullptr || sched_.is_shared(); }
    /// See Scheduler::alive. Does not need the lock.
    std::size_t alive() const noexcept { return sched_.alive(); }

    // ---- running ----------------------------------------------------------------------------------------------------

    /// Runs a task until it yields or ends, and inserts it. Releases the lock while the task runs.
    inline void resume_unlocked(SchedulerLock& held, Machine& machine, Task& task) KIT_REQUIRES(lock());
    /// The two halves of resume_unlocked(): runs the task until it yields; inserts it.
    inline void resume_on(Machine& machine, Task& task) KIT_EXCLUDES(lock());
    void insert_yielded(Task& task) KIT_EXCLUDES(lock());
    /// As Scheduler::go, for callbacks of events.
    Handle go(Body body, Attributes attributes = {}) KIT_REQUIRES(lock());
    /// Releases a task that has ended: destroys it, unless a Handle refers to it.
    void release(Task& task) noexcept;

    // ---- waking -----------------------------------------------------------------------------------------------------

    ///  Calls Scheduler::wake and notifies the strategy. False also for a task that has not yielded its machine yet.
    bool wake_and_tell(Task& task, Wake how, Cause cause) KIT_REQUIRES(lock());
    /// Removes a task of the sleep tree from its trees, sets how it was woken, and appends it to a queue of the
    /// strategy as ready.
    void wake_to_queue(ReadyQueue& queue, Task& task, Wake how, Cause cause) KIT_REQUIRES(lock());
    /// Wakes the tasks whose deadline has passed or whose event has arrived. Releases the lock while it polls.
    void wake_due() KIT_REQUIRES(lock());

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /// Waits until a task may be able to run on this machine. One machine waits for the first deadline and for events,
    /// on behalf of all; the others park until they are unparked. May return spuriously. Releases the lock meanwhile.
    void wait_for_work(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    /// The same in steps, for a loop that must check for work again in between. After announce_idle() the machine can
    /// be unparked; then it parks or polls, or cancels the announcement.
    void announce_idle(Machine& machine) KIT_REQUIRES(lock());
    void park_or_poll(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void cancel_idle(Machine& machine) KIT_REQUIRES(lock());
    /// Unparks the machine that has been parked for longest, or else the one that waits for events, because there is
    /// work. No-op if a machine is already looking around (Go's spinning machines): it finds the work.
    void unpark_one() KIT_REQUIRES(lock());
    void unpark(unsigned machine) KIT_REQUIRES(lock());
    void unpark_all() KIT_REQUIRES(lock());
    /// Requests a call of EventSource::unlocked when the lock is released.
    void call_source() KIT_REQUIRES(lock()) { source_called_ = calls_ = true; }
    /// Whether `machine` should take tasks that another machine would run soon. False for a while after tasks so short
    /// that handing them over took longer. Always true with the virtual clock. Does not need the lock.
    static bool worth_helping(const Machine& machine) noexcept { return machine.throttle.worth(); }
    /// Number of machines that have announced that they are idle. Does not need the lock.
    std::size_t idle() const { return idle_.load(std::memory_order_relaxed); }
    /// 4.16. Removes and returns the machine that has been parked for longest, which is then no longer unparked for
    /// work; kNoMachine if none is parked.
    int take_parked() KIT_REQUIRES(lock());
    static constexpr int kNoMachine = -1;
    /// Throws Stuck if no task is ready and no sleeping or waiting task can become ready. No task may be running.
    void throw_if_stuck() KIT_REQUIRES(lock());

    /// Number of unparks so far.
    std::uint64_t wakes() const noexcept KIT_REQUIRES(lock_) { return wakes_; }

    // ---- threads ---------------------------------------------------------------------------------------------------

    /// Runs body(machine) on `machines` threads, including the calling one (number 0), which share this scheduler.
    /// Throws Stuck when every machine is parked forever.
    void run_on_machines(unsigned machines, const std::function<void(Machine&)>& body);
    /// The same with several schedulers; machine i uses number i modulo their count.
    void run_on_machines(std::span<Scheduler* const> schedulers, unsigned machines,
                         const std::function<void(Machine&)>& body);
    /// Creates another scheduler of the same strategy, with its own sets and lock, for machine `machine` alone. It
    /// belongs to no thread until run_on_machines() assigns it to one. This scheduler and `source` must outlive it.
    std::unique_ptr<Scheduler> another(unsigned machine, EventSource& source);
    /// Makes run() of this scheduler also report the failed tasks of `other`.
    void adopt_failures(Scheduler& other);

  private:
    friend SchedulerBase;
    friend SchedulerLock;
    class Sharing;

    inline void take_after_yield(SchedulerLock& held, kit::Lock* handed);
    void insert_shared(Task& task) KIT_REQUIRES(lock());
    bool nobody_to_wake() const KIT_REQUIRES(lock_);
    void tell_ready(const Task& task) KIT_REQUIRES(lock());
    void tell_exit(Task& task) KIT_REQUIRES(lock());
    void wake_joiners(Task& task) KIT_REQUIRES(lock());
    void wake_remote_joiners(SchedulerLock& held) KIT_REQUIRES(lock());
    void wake_expired(std::uint64_t now) KIT_REQUIRES(lock());
    void wake_waiters(std::span<Event> events) KIT_REQUIRES(lock());
    // A machine without work spins for a while, looking for some; true if there may be some. Meanwhile no other machine
    // is unparked (given/look_around.cpp).
    bool may_look_around() const KIT_REQUIRES(lock_);
    bool look_around(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    bool rest(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void step_aside(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void park(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void poll_for_all(SchedulerLock& held, Machine& machine, std::uint64_t until) KIT_REQUIRES(lock());
    void look() KIT_REQUIRES(lock());
    void update_poller() KIT_REQUIRES(lock());
    void count_idle() KIT_REQUIRES(lock());
    /// Releases the lock, then makes the deferred system calls: unparks machines, calls the source.
    void unlock_and_unpark() KIT_RELEASE(lock()) { __builtin_expect(calls_, 0) ? make_calls() : lock_.unlock(); }
    void make_calls() KIT_RELEASE(lock());
    std::uint64_t first_deadline() const noexcept;
    bool would_wait_forever() const;
    void guard_sets(const kit::Lock* lock, bool several);
    kit::Watch watch_over(std::span<Scheduler* const> schedulers) const;

    enum class PollState : std::uint8_t { idle, polling, contended };
    Scheduler& sched_;
    SharedStrategy* strategy_;  // null for strategies of one thread
    // The lock, and in the same cache line the members that each turn accesses under it.
    alignas(64) kit::Lock lock_;
    unsigned running_ KIT_GUARDED_BY(lock_) = 0;              // machines in resume_unlocked()
    unsigned lookers_ KIT_GUARDED_BY(lock_) = 0;              // machines in look_around()
    int poller_ KIT_GUARDED_BY(lock_) = kNoMachine;           // the machine that waits for events
    bool calls_ KIT_GUARDED_BY(lock_) = false;                // to_unpark_ is not empty, or source_called_
    bool source_called_ KIT_GUARDED_BY(lock_) = false;        // call the source when the lock is released
    bool to_end_wait_ KIT_GUARDED_BY(lock_) = false;          // end the poller's wait when the lock is released
    PollState poll_ KIT_GUARDED_BY(lock_) = PollState::idle;  // whether a machine polls the source without the lock
    bool poller_called_ KIT_GUARDED_BY(lock_) = false;        // the poller's wait has already been ended
    std::vector<Handle> remote_joiners_
        KIT_GUARDED_BY(lock_);                            // tasks of other schedulers that join a task which has ended
    std::uint64_t poll_until_ KIT_GUARDED_BY(lock_) = 0;  // ns: end of the poller's wait
    std::uint64_t wakes_ KIT_GUARDED_BY(lock_) = 0;
    std::shared_ptr<kit::Machines> machines_ KIT_GUARDED_BY(lock_);  // null while not running
    std::vector<unsigned> to_unpark_ KIT_GUARDED_BY(lock_);          // when the lock is released
    kit::Atomic<std::size_t> idle_{0};
    std::deque<unsigned> parked_ KIT_GUARDED_BY(lock_);  // the machine that has been parked for longest is first
};

/// Holds the lock of a scheduler for its lifetime. No-op if the strategy has one thread.
class KIT_SCOPED_CAPABILITY SchedulerLock {
  public:
    explicit SchedulerLock(WorkerPool& loop) KIT_ACQUIRE(loop.lock());
    ~SchedulerLock() KIT_RELEASE();
    SchedulerLock(const SchedulerLock&) = delete;
    SchedulerLock& operator=(const SchedulerLock&) = delete;

    void lock() KIT_ACQUIRE() {
        if (loop_ == nullptr) return;
        loop_->lock().lock();
        owned_ = true;
    }
    void unlock() KIT_RELEASE() {
        if (loop_ == nullptr) return;
        owned_ = false;
        loop_->unlock_and_unpark();
    }
    bool owns_lock() const noexcept { return owned_; }
    /// Gives up ownership without unlocking: a task hands the lock to its loop (park).
    void release() noexcept { owned_ = false; }

  private:
    friend WorkerPool;
    struct Later {};
    SchedulerLock(WorkerPool& loop, Later) : loop_(&loop) {}
    void adopt() noexcept { owned_ = true; }

    WorkerPool* loop_;  // null: one thread only
    bool owned_ = false;
};

}  // namespace fiberscope::lab04
