// Steps 4.6 to 4.8: what a loop of several machines needs. A loop holds the scheduler's lock, and releases it only
// while a task runs and while the machine waits. What must be called with the lock says so to the compiler (clang
// -Wthread-safety).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/atomic.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/machines.h"

namespace fiberscope::lab04 {

class Held;
class SharedStrategy;

/// A scheduler, as the loops of several machines use it. Each scheduler has one: Scheduler::shared().
class SharedLoop {
  public:
    SharedLoop(Scheduler& sched, Strategy& strategy) noexcept;
    SharedLoop(const SharedLoop&) = delete;
    SharedLoop& operator=(const SharedLoop&) = delete;

    /// The lock of the scheduler, of its sets, and of what follows. Held takes it.
    kit::Lock& lock() noexcept KIT_RETURN_CAPABILITY(lock_) { return lock_; }
    Scheduler& scheduler() noexcept { return sched_; }
    ReadyQueue& ready() noexcept KIT_REQUIRES(lock()) { return sched_.ready(); }
    const Settings& settings() const noexcept { return sched_.settings(); }
    /// See Scheduler::alive. Also without the lock.
    std::size_t alive() const noexcept { return sched_.alive(); }

    // ---- running ----------------------------------------------------------------------------------------------------

    /// Runs a task until it yields or ends, and inserts it. Releases the lock while the task runs.
    void resume_unlocked(Held& held, Machine& machine, Task& task) KIT_REQUIRES(lock());
    /// The two halves of that, each without the lock: the task runs and yields; and it is inserted.
    void resume_on(Machine& machine, Task& task) KIT_EXCLUDES(lock());
    void insert_yielded(Task& task) KIT_EXCLUDES(lock());
    /// Makes a task, as Scheduler::go: for what an event calls.
    Handle go(Body body, Attributes attributes = {}) KIT_REQUIRES(lock());
    /// A task that has ended is no longer kept: it is destroyed, unless a Handle keeps it.
    void release(Task& task) noexcept;

    // ---- waking -----------------------------------------------------------------------------------------------------

    /// Scheduler::wake, and the strategy is told. False also for a task that has not yielded its machine yet.
    bool wake_and_notify(Task& task, Wake how, Cause cause) KIT_REQUIRES(lock());
    /// Out of its trees and told why; ready, in a queue of the strategy. Only for a task in the sleep tree.
    void wake_to_queue(ReadyQueue& queue, Task& task, Wake how, Cause cause) KIT_REQUIRES(lock());
    /// Wakes the tasks whose deadline has passed, and those whose event has come.
    void wake_due() KIT_REQUIRES(lock());

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /// No task can run on this machine: waits until one may. One machine waits for the first deadline and for events,
    /// on behalf of all; the others park until they are unparked. May return for nothing. Releases the lock meanwhile.
    void wait_for_work(Held& held, Machine& machine) KIT_REQUIRES(lock());
    /// The same in steps, for a loop that must look once more in between: from announce_idle on it can be unparked;
    /// then it parks or polls, or takes the announcement back.
    void announce_idle(Machine& machine) KIT_REQUIRES(lock());
    void park_or_poll(Held& held, Machine& machine) KIT_REQUIRES(lock());
    void cancel_idle(Machine& machine) KIT_REQUIRES(lock());
    /// There is work: unparks the machine that has been parked for longest, or else the one that waits for events.
    void unpark_one() KIT_REQUIRES(lock());
    void unpark(unsigned machine) KIT_REQUIRES(lock());
    void unpark_all() KIT_REQUIRES(lock());
    /// How many machines have announced that they are idle. Also without the lock.
    std::size_t idle() const { return idle_.load(std::memory_order_relaxed); }
    /// Throws Stuck if no task is ready, and none that sleeps or waits can become ready. No task may be running.
    void throw_if_stuck() KIT_REQUIRES(lock());

    // ---- threads ----------------------------------------------------------------------------------------------------

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
    class Sharing;

    void take_after_yield(Held& held, kit::Lock* handed);
    void insert_shared(Task& task) KIT_REQUIRES(lock());
    void tell_ready(const Task& task) KIT_REQUIRES(lock());
    void tell_exit(Task& task) KIT_REQUIRES(lock());
    void wake_joiners(Task& task) KIT_REQUIRES(lock());
    void wake_remote_joiners(Held& held) KIT_REQUIRES(lock());
    void wake_expired(std::uint64_t now) KIT_REQUIRES(lock());
    void wake_waiters(std::span<Event> events) KIT_REQUIRES(lock());
    void park(Held& held, Machine& machine) KIT_REQUIRES(lock());
    void poll_for_all(Held& held, Machine& machine, std::uint64_t until) KIT_REQUIRES(lock());
    void update_poller() KIT_REQUIRES(lock());
    void count_idle() KIT_REQUIRES(lock());
    std::uint64_t first_deadline() const noexcept;
    bool would_wait_forever() const;
    void guard_sets(const kit::Lock* lock, bool several);
    kit::Watch watch_over(std::span<Scheduler* const> schedulers) const;

    static constexpr int kNoMachine = -1;
    Scheduler& sched_;
    SharedStrategy* strategy_;  // null: its tasks run on one machine
    kit::Lock lock_;
    kit::Machines* machines_ = nullptr;
    kit::Atomic<std::size_t> idle_{0};
    std::deque<unsigned> parked_ KIT_GUARDED_BY(lock_);   // the machine that has been parked for longest stands first
    int poller_ KIT_GUARDED_BY(lock_) = kNoMachine;       // the machine that waits for events
    std::uint64_t poll_until_ KIT_GUARDED_BY(lock_) = 0;  // ns: until when it does
    std::vector<Handle> remote_joiners_
        KIT_GUARDED_BY(lock_);  // tasks of other schedulers that join one that has ended
};

/// Holds the lock of a scheduler as long as it lives; of a scheduler that one thread runs, none.
class KIT_SCOPED_CAPABILITY Held {
  public:
    explicit Held(SharedLoop& loop) KIT_ACQUIRE(loop.lock());
    /// Holds none.
    Held() noexcept : lock_(nullptr) {}
    ~Held() KIT_RELEASE();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    void lock() KIT_ACQUIRE();
    void unlock() KIT_RELEASE();
    bool owns_lock() const noexcept { return owned_; }
    /// The lock stays held: a task hands it to its loop (park).
    void release() noexcept { owned_ = false; }

  private:
    friend SharedLoop;
    struct Later {};
    Held(SharedLoop& loop, Later) : lock_(&loop.lock()) {}
    void adopt() noexcept { owned_ = true; }

    kit::Lock* lock_;
    bool owned_ = false;
};

/// A strategy whose tasks several machines run.
class SharedStrategy : public Strategy {
  public:
    /// Strategy::enqueue_new, with the lock: by default at the end of the ready queue.
    virtual void enqueue_shared(SharedLoop& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// A task has become ready, and a machine that is parked may be needed for it.
    virtual void on_ready(SharedLoop& sched, const Task& task) KIT_REQUIRES(sched.lock());
    /// The deadline of a task in the sleep tree has passed: wakes it, by default into the ready queue.
    virtual void on_deadline(SharedLoop& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// A task has ended, and is in no set: by default it is released at once.
    virtual void on_exit(SharedLoop& sched, Task& task) KIT_REQUIRES(sched.lock());
    /// Given, for an explorer: the task that machine `machine` could run now if it were awake, in words; empty: none.
    virtual std::string work_for(SharedLoop& sched, unsigned machine);

    void enqueue_new(Scheduler& scheduler, Task& task) final;
};

}  // namespace fiberscope::lab04
