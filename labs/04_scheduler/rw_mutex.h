// Step 4.10: netco's RWMutex: readers share it, writers are exclusive, waiting tasks form a queue.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/sets/recorded_lock.h"

namespace fiberscope::lab04 {

using Mode = trace::LockMode;  ///< here only `read` and `write`

/// A readers-writer lock for tasks of any scheduler, on any machine. A task that cannot acquire it immediately parks,
/// so a task may sleep and wait while it holds the lock. Free of starvation: a task that arrives while others wait
/// joins the end of the queue. Not recursive: a reader that locks it again while a writer waits would deadlock.
///
/// cancel() ends the wait of rlock() and wlock(): they return Wake::cancelled, and the task does not hold the lock. A
/// spurious wake() does not: the task keeps its place in the queue and waits on.
class RWMutex {
  public:
    /// `name`: for traces and messages.
    explicit RWMutex(std::string name);
    /// No task may hold it or wait for it.
    ~RWMutex() = default;
    RWMutex(const RWMutex&) = delete;
    RWMutex& operator=(const RWMutex&) = delete;

    /// Acquires the lock for reading, or for writing, for the running task. Throws Misuse outside of tasks, and
    /// (holds_already) if the task already holds it; std::logic_error if it would have to wait and is on a shared
    /// stack.
    [[nodiscard]] Wake rlock() { return lock(Mode::read); }
    [[nodiscard]] Wake wlock() { return lock(Mode::write); }
    /// Releases the lock. Throws Misuse (not_the_holder) if the running task does not hold it in this mode.
    void runlock() { unlock(Mode::read); }
    void wunlock() { unlock(Mode::write); }

    const std::string& name() const noexcept { return name_; }

  private:
    /// A waiting task; allocated on its stack while it waits.
    struct Waiter {
        Task& task;
        Mode mode;
        bool admitted = false;  ///< the task holds the lock; set by admit()
    };

    // ---- what the student writes ------------------------------------------------------------

    /// Whether a task may acquire the lock immediately: no task waits, and no holder conflicts with `mode`.
    bool free_for(Mode mode) const KIT_REQUIRES(lock_);
    /// Acquires the lock for `self`, immediately or after waiting. False if the wait was cancelled.
    bool take(Task& self, Mode mode) KIT_REQUIRES(lock_);
    /// Releases the lock held by `self`.
    void give_back(Task& self) KIT_REQUIRES(lock_);
    /// Admits the tasks at the head of the queue that may hold the lock now: one writer, or all readers before the next
    /// writer.
    void admit_next() KIT_REQUIRES(lock_);

    // ---- what is given ----------------------------------------------------------------------

    /// Adds a task to the holders (readers_ or writer_), or removes it. Recorded.
    void add_holder(Task& task, Mode mode) KIT_REQUIRES(lock_);
    void remove_holder(const Task& task) KIT_REQUIRES(lock_);
    /// Appends `waiter` to the queue, or removes it from any position (no-op if it is not queued). Recorded. The queue
    /// points to `waiter`, which must be removed before the caller returns.
    void insert_waiter(Waiter& waiter) KIT_REQUIRES(lock_);
    void remove_waiter(Waiter& waiter) KIT_REQUIRES(lock_);
    /// Parks the running task, which is in the queue. Returns how it was woken: by admit(), by cancel(), or spuriously.
    Wake park_in_queue(Waiter& waiter) KIT_REQUIRES(lock_);
    /// Removes a task from the queue, makes it a holder, sets `admitted`, and wakes it.
    void admit(Waiter& waiter) KIT_REQUIRES(lock_);

    Wake lock(Mode mode);
    void unlock(Mode mode);
    bool leave_queue(Waiter& waiter) KIT_REQUIRES(lock_);
    bool holds(const Task& task) const noexcept KIT_REQUIRES(lock_);

    const std::string name_;
    kit::Lock lock_;                                    // guards the members below
    std::vector<Task*> readers_ KIT_GUARDED_BY(lock_);  // holders in mode read
    Task* writer_ KIT_GUARDED_BY(lock_) = nullptr;      // the holder in mode write, or null
    std::deque<Waiter*> queue_ KIT_GUARDED_BY(lock_);   // in order of arrival
    const std::string reason_to_read_, reason_to_write_;
    kit::RecordedLock recorded_{name_, &lock_};
};

/// Holds the lock for its lifetime. The constructor ignores cancellation, so a task with a guard always holds the lock.
template <Wake (RWMutex::*Lock)(), void (RWMutex::*Unlock)()>
class RWGuard {
  public:
    explicit RWGuard(RWMutex& mutex) : mutex_(mutex) {
        while ((mutex_.*Lock)() == Wake::cancelled) {
        }
    }
    ~RWGuard() { (mutex_.*Unlock)(); }
    RWGuard(const RWGuard&) = delete;
    RWGuard& operator=(const RWGuard&) = delete;

  private:
    RWMutex& mutex_;
};
using ReadGuard = RWGuard<&RWMutex::rlock, &RWMutex::runlock>;
using WriteGuard = RWGuard<&RWMutex::wlock, &RWMutex::wunlock>;

}  // namespace fiberscope::lab04
