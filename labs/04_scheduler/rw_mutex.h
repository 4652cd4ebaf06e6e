// Step 4.10: netco's RWMutex: readers together, writers alone, and a queue of the tasks that wait.
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

/// For tasks, of any scheduler and on any machine. A task that cannot have it at once parks; so a task may sleep and
/// wait while it holds the lock. None starves: a task that comes while another waits, waits behind it. Not recursive: a
/// reader that asked again while a writer waits would wait for himself.
///
/// Cancelling ends the wait of rlock and wlock: they return Wake::cancelled, and the task does not hold it. Being woken
/// by others (a wake() that was meant for something else) does not: then they wait on, at the same place.
class RWMutex {
  public:
    /// `name`: in traces and in words.
    explicit RWMutex(std::string name);
    /// No task may hold it or wait for it any more.
    ~RWMutex() = default;
    RWMutex(const RWMutex&) = delete;
    RWMutex& operator=(const RWMutex&) = delete;

    /// Waits until the running task may read, or write. Throws Misuse outside of tasks, and (holds_already) if it holds
    /// it; std::logic_error if it had to wait and lies on a shared stack.
    [[nodiscard]] Wake rlock() { return lock(Mode::read); }
    [[nodiscard]] Wake wlock() { return lock(Mode::write); }
    /// Lets go of it. Throws Misuse (not_the_holder) if the running task does not hold it in this mode.
    void runlock() { unlock(Mode::read); }
    void wunlock() { unlock(Mode::write); }

    const std::string& name() const noexcept { return name_; }

  private:
    /// A task that waits; lies on its stack as long as it does.
    struct Waiter {
        Task& task;
        Mode mode;
        bool admitted = false;  ///< the task has the lock: admit() has said so
    };

    // ---- what the student writes ------------------------------------------------------------

    /// Whether a task that comes now may have it at once: none is before it, and none has it that is in its way.
    bool free_for(Mode mode) const KIT_REQUIRES(lock_);
    /// `self` takes it, at once or after having waited. False: it was cancelled, and does not have it.
    bool take(Task& self, Mode mode) KIT_REQUIRES(lock_);
    /// `self`, which has it, gives it back.
    void give_back(Task& self) KIT_REQUIRES(lock_);
    /// Lets in from the head of the queue the tasks that may have it now: one writer, or all readers before the next
    /// writer.
    void admit_next() KIT_REQUIRES(lock_);

    // ---- what is given ----------------------------------------------------------------------

    /// A task has it from here on: readers_ or writer_; or has it no longer. Both are recorded.
    void add_holder(Task& task, Mode mode) KIT_REQUIRES(lock_);
    void remove_holder(const Task& task) KIT_REQUIRES(lock_);
    /// To the end of the queue; and out of it, from whichever place: nothing happens if it has left already. Both are
    /// recorded. The queue points to `waiter`: it must have left when the caller returns.
    void insert_waiter(Waiter& waiter) KIT_REQUIRES(lock_);
    void remove_waiter(Waiter& waiter) KIT_REQUIRES(lock_);
    /// The running task, which is in the queue, parks. Says how it was woken: by admit, by a cancel, or for nothing.
    Wake park_in_queue(Waiter& waiter) KIT_REQUIRES(lock_);
    /// A task leaves the queue and has the lock from here on; it is told so, and woken.
    void admit(Waiter& waiter) KIT_REQUIRES(lock_);

    Wake lock(Mode mode);
    void unlock(Mode mode);
    bool leave_queue(Waiter& waiter) KIT_REQUIRES(lock_);
    bool holds(const Task& task) const noexcept KIT_REQUIRES(lock_);

    const std::string name_;
    kit::Lock lock_;                                    // of all that stands below
    std::vector<Task*> readers_ KIT_GUARDED_BY(lock_);  // the tasks that hold it to read
    Task* writer_ KIT_GUARDED_BY(lock_) = nullptr;      // or the one that holds it to write
    std::deque<Waiter*> queue_ KIT_GUARDED_BY(lock_);   // the task that came first stands first
    const std::string reason_to_read_, reason_to_write_;
    kit::RecordedLock recorded_{name_, &lock_};
};

/// Holds it as long as it lives. Waits on if it is cancelled: a task that has a guard holds the lock.
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
