// Given: a mutex and a condition variable for tasks. Those for threads (std::mutex, pthread_cond_t) block the thread,
// and with it the task that would release them.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/sets/recorded_lock.h"
#include "labs/kit/time/never.h"

namespace fiberscope::lab05 {

/// A mutex that a task may hold across calls that wait, on any number of machines. FIFO; not recursive. Works with
/// std::lock_guard and std::unique_lock. Like lab 04's RWMutex without readers, but also usable on shared stacks.
class TaskMutex {
  public:
    /// `name`: unique, for traces and messages; must outlive this object.
    explicit TaskMutex(const char* name) noexcept : name_(name) {}
    /// No task may hold it or wait for it.
    ~TaskMutex() = default;
    TaskMutex(const TaskMutex&) = delete;
    TaskMutex& operator=(const TaskMutex&) = delete;

    /// Parks until the running task has acquired it; a cancel does not end the wait. Throws Misuse outside of tasks,
    /// and (holds_already) if the task holds it already.
    void lock();
    bool try_lock();
    /// Passes ownership to the task that has waited longest. Throws Misuse (not_the_holder) if the running task does
    /// not hold it.
    void unlock();

  private:
    void take(lab04::Task& task) KIT_REQUIRES(lock_);
    void give_back(const lab04::Task& self) KIT_REQUIRES(lock_);
    void leave(const lab04::Task& self) noexcept;

    const char* name_;
    kit::Lock lock_;
    lab04::Task* holder_ KIT_GUARDED_BY(lock_) = nullptr;
    std::deque<lab04::Handle> line_ KIT_GUARDED_BY(lock_);  // no addresses of locals: a shared stack moves them
    kit::RecordedLock recorded_{name_, &lock_};
};

/// Condition variable for a TaskMutex, which it releases while it waits, atomically. As with std::condition_variable,
/// check the condition in a loop. Unlike lab 06's Condition (libco's co_cond), it has a mutex and supports several
/// threads.
class TaskCondition {
  public:
    /// `name`: as for TaskMutex.
    explicit TaskCondition(const char* name) noexcept : name_(name) {}
    TaskCondition(const TaskCondition&) = delete;
    TaskCondition& operator=(const TaskCondition&) = delete;

    /// Returns `event` after a notify, `timeout` after `limit` ns, `cancelled` if the wait was cancelled. The running
    /// task holds `mutex` before and after. Throws Misuse (not_the_holder) if `mutex` is not locked.
    lab04::Wake wait(std::unique_lock<TaskMutex>& mutex, std::uint64_t limit = kit::kNever);
    template <class Predicate>
    void wait(std::unique_lock<TaskMutex>& mutex, Predicate holds) {
        while (!holds()) wait(mutex);
    }
    /// Wakes the task that has waited longest, or all waiting tasks.
    void notify_one();
    void notify_all();

  private:
    struct Waiter {
        lab04::Handle task;
        std::uint64_t number;
    };
    class Place;

    lab04::Wake park(std::uint64_t limit) KIT_RELEASE(lock_);
    void wake_first() KIT_REQUIRES(lock_);

    const char* name_;
    kit::Lock lock_;
    std::uint64_t last_ KIT_GUARDED_BY(lock_) = 0;
    std::deque<Waiter> line_ KIT_GUARDED_BY(lock_);
    kit::RecordedLock recorded_{name_};
};

}  // namespace fiberscope::lab05
