// Steps 4.6 to 4.8: what a loop of several machines needs. A loop holds the scheduler's lock, and releases it only
// while a task runs and while the machine waits. What must be called with the lock says so to the compiler (clang
// -Wthread-safety). What a strategy of several machines decides is in shared_strategy.h.
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

/// A scheduler, as the loops of several machines use it. Each scheduler has one: Scheduler::shared().
class WorkerPool {
  public:
    WorkerPool(Scheduler& sched, Strategy& strategy) noexcept;
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// The lock of the scheduler, of its sets, and of what follows. SchedulerLock takes it.
    kit::Lock& lock() noexcept KIT_RETURN_CAPABILITY(lock_) { return lock_; }
    Scheduler& scheduler() noexcept { return sched_; }
    ReadyQueue& ready() noexcept KIT_REQUIRES(lock()) { return sched_.ready(); }
    const Settings& settings() const noexcept { return sched_.settings(); }
    /// Whether threads besides the scheduler's own may use it.
    bool has_several_threads() const noexcept { return strategy_ != nullptr || sched_.is_shared(); }
    /// See Scheduler::alive. Also without the lock.
    std::size_t alive() const noexcept { return sched_.alive(); }

    // ---- running ----------------------------------------------------------------------------------------------------

    /// Runs a task until it yields or ends, and inserts it. Releases the lock while the task runs.
    inline void resume_unlocked(SchedulerLock& held, Machine& machine, Task& task) KIT_REQUIRES(lock());
    /// The two halves of that, each without the lock: the task runs and yields; and it is inserted.
    inline void resume_on(Machine& machine, Task& task) KIT_EXCLUDES(lock());
    void insert_yielded(Task& task) KIT_EXCLUDES(lock());
    /// Makes a task, as Scheduler::go: for what an event calls.
    Handle go(Body body, Attributes attributes = {}) KIT_REQUIRES(lock());
    /// A task that has ended is no longer kept: it is destroyed, unless a Handle keeps it.
    void release(Task& task) noexcept;

    // ---- waking -----------------------------------------------------------------------------------------------------

    /// Scheduler::wake, and the strategy is told. False also for a task that has not yielded its machine yet.
    bool wake_and_tell(Task& task, Wake how, Cause cause) KIT_REQUIRES(lock());
    /// Out of its trees and told why; ready, in a queue of the strategy. Only for a task in the sleep tree.
    void wake_to_queue(ReadyQueue& queue, Task& task, Wake how, Cause cause) KIT_REQUIRES(lock());
    /// Wakes the tasks whose deadline has passed, and those whose event has come; without the lock while it asks.
    void wake_due() KIT_REQUIRES(lock());

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /// No task can run on this machine: waits until one may. One machine waits for the first deadline and for events,
    /// on behalf of all; the others park until they are unparked. May return for nothing. Releases the lock meanwhile.
    void wait_for_work(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    /// The same in steps, for a loop that must look once more in between: from announce_idle on it can be unparked;
    /// then it parks or polls, or takes the announcement back.
    void announce_idle(Machine& machine) KIT_REQUIRES(lock());
    void park_or_poll(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void cancel_idle(Machine& machine) KIT_REQUIRES(lock());
    /// There is work: unparks the machine that has been parked for longest, or else the one that waits for events. None
    /// if a machine looks around already, as with Go's spinning machines: that one finds it.
    void unpark_one() KIT_REQUIRES(lock());
    void unpark(unsigned machine) KIT_REQUIRES(lock());
    void unpark_all() KIT_REQUIRES(lock());
    /// EventSource::unlocked, when the lock is released.
    void call_source() KIT_REQUIRES(lock()) { source_called_ = calls_ = true; }
    /// Whether `machine` should take tasks that another machine would run soon. Not if its last ones were so short that
    /// to hand them over took longer; then it keeps away for a while. Always true under the virtual clock. Also without
    /// the lock.
    static bool worth_helping(const Machine& machine) noexcept { return machine.throttle.worth(); }
    /// How many machines have announced that they are idle. Also without the lock.
    std::size_t idle() const { return idle_.load(std::memory_order_relaxed); }
    /// 4.16. The machine that has been parked for longest is no longer unparked for work; kNoMachine if none is parked.
    int take_parked() KIT_REQUIRES(lock());
    static constexpr int kNoMachine = -1;
    /// Throws Stuck if no task is ready, and none that sleeps or waits can become ready. No task may be running.
    void throw_if_stuck() KIT_REQUIRES(lock());

    /// How often a machine has been unparked.
    std::uint64_t wakes() const noexcept KIT_REQUIRES(lock_) { return wakes_; }

    // ---- threads ---------------------------------------------------------------------------------------------------

    /// Runs body(machine) on `machines` threads, of which this is number 0; they share this scheduler. Throws Stuck
    /// when every machine is parked forever.
    void run_on_machines(unsigned machines, const std::function<void(Machine&)>& body);
    /// The same with several schedulers, of which machine i takes number i modulo their count.
    void run_on_machines(std::span<Scheduler* const> schedulers, unsigned machines,
                         const std::function<void(Machine&)>& body);
    /// One more scheduler for the strategy of this one, with sets and a lock of its own, for machine `machine` alone.
    /// It is the scheduler of no thread until run_on_machines gives it to one. This one and `source` must outlive it.
    std::unique_ptr<Scheduler> another(unsigned machine, EventSource& source);
    /// run() of this scheduler reports the tasks of `other` too that ended by an exception.
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
    // A machine that has nothing looks for work again and again for a while; true if there may be some. Meanwhile no
    // other machine is unparked (given/look_around.cpp).
    bool may_look_around() const KIT_REQUIRES(lock_);
    bool look_around(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    bool rest(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void step_aside(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void park(SchedulerLock& held, Machine& machine) KIT_REQUIRES(lock());
    void poll_for_all(SchedulerLock& held, Machine& machine, std::uint64_t until) KIT_REQUIRES(lock());
    void look() KIT_REQUIRES(lock());
    void update_poller() KIT_REQUIRES(lock());
    void count_idle() KIT_REQUIRES(lock());
    /// Releases the lock, and then makes the system calls that were put off: unparks machines, calls the source.
    void unlock_and_unpark() KIT_RELEASE(lock()) { __builtin_expect(calls_, 0) ? make_calls() : lock_.unlock(); }
    void make_calls() KIT_RELEASE(lock());
    std::uint64_t first_deadline() const noexcept;
    bool would_wait_forever() const;
    void guard_sets(const kit::Lock* lock, bool several);
    kit::Watch watch_over(std::span<Scheduler* const> schedulers) const;

    enum class PollState : std::uint8_t { idle, polling, contended };
    Scheduler& sched_;
    SharedStrategy* strategy_;  // null: its tasks run on one machine
    // The lock, and in its cache line what each turn reads or writes under it.
    alignas(64) kit::Lock lock_;
    unsigned running_ KIT_GUARDED_BY(lock_) = 0;              // machines that run a task by resume_unlocked
    unsigned lookers_ KIT_GUARDED_BY(lock_) = 0;              // machines that look around
    int poller_ KIT_GUARDED_BY(lock_) = kNoMachine;           // the machine that waits for events
    bool calls_ KIT_GUARDED_BY(lock_) = false;                // to_unpark_ has some, or source_called_
    bool source_called_ KIT_GUARDED_BY(lock_) = false;        // the source, when the lock is released
    bool to_end_wait_ KIT_GUARDED_BY(lock_) = false;          // the poller's wait, when the lock is released
    PollState poll_ KIT_GUARDED_BY(lock_) = PollState::idle;  // of the source, without the lock, before another parks
    bool poller_called_ KIT_GUARDED_BY(lock_) = false;        // its wait has been ended already
    std::vector<Handle> remote_joiners_
        KIT_GUARDED_BY(lock_);                            // tasks of other schedulers that join one that has ended
    std::uint64_t poll_until_ KIT_GUARDED_BY(lock_) = 0;  // ns: until when the poller waits
    std::uint64_t wakes_ KIT_GUARDED_BY(lock_) = 0;
    std::shared_ptr<kit::Machines> machines_ KIT_GUARDED_BY(lock_);  // null while none runs
    std::vector<unsigned> to_unpark_ KIT_GUARDED_BY(lock_);          // when the lock is released
    kit::Atomic<std::size_t> idle_{0};
    std::deque<unsigned> parked_ KIT_GUARDED_BY(lock_);  // the machine that has been parked for longest stands first
};

/// Holds the lock of a scheduler as long as it lives; of a scheduler whose strategy has one thread, none.
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
    /// The lock stays held: a task hands it to its loop (park).
    void release() noexcept { owned_ = false; }

  private:
    friend WorkerPool;
    struct Later {};
    SchedulerLock(WorkerPool& loop, Later) : loop_(&loop) {}
    void adopt() noexcept { owned_ = true; }

    WorkerPool* loop_;  // null: only one thread knows it
    bool owned_ = false;
};

}  // namespace fiberscope::lab04
