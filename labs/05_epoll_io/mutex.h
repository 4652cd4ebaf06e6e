// Given: a mutex and a condition variable for tasks. Those of threads (std::mutex, pthread_cond_t) stop the thread, and
// with it the task that would have released them.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/sets/recorded_lock.h"
#include "labs/kit/time/never.h"

namespace fiberscope::lab05 {

/// What a task holds over calls that wait, so that no other task of any machine comes between. First come, first
/// served; not recursive. Works with std::lock_guard and std::unique_lock. lab 04's RWMutex, without readers, and on
/// shared stacks too.
class TaskMutex {
  public:
    /// `name`: in traces and in words, for this one alone; must outlive this.
    explicit TaskMutex(const char* name) noexcept : name_(name) {}
    /// No task may hold it or wait for it any more.
    ~TaskMutex() = default;
    TaskMutex(const TaskMutex&) = delete;
    TaskMutex& operator=(const TaskMutex&) = delete;

    /// Parks until the running task has it; a cancel does not end the wait. Throws Misuse outside of tasks, and
    /// (holds_already) if it has it.
    void lock();
    bool try_lock();
    /// Hands it to the task that has waited longest. Throws Misuse (not_the_holder) if the running task does not have
    /// it.
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

/// Waits for a change that another task tells of, and lets go of a TaskMutex meanwhile, in one step. As
/// std::condition_variable: look at the condition itself in a loop. lab 06's Condition (libco's co_cond) has no mutex
/// and is for one thread.
class TaskCondition {
  public:
    /// `name`: as of a TaskMutex.
    explicit TaskCondition(const char* name) noexcept : name_(name) {}
    TaskCondition(const TaskCondition&) = delete;
    TaskCondition& operator=(const TaskCondition&) = delete;

    /// `event` after a notify, `timeout` after `limit` ns, `cancelled` if the wait was cancelled. The running task has
    /// `mutex` before and after. Throws Misuse (not_the_holder) if `mutex` holds nothing.
    lab04::Wake wait(std::unique_lock<TaskMutex>& mutex, std::uint64_t limit = kit::kNever);
    template <class Predicate>
    void wait(std::unique_lock<TaskMutex>& mutex, Predicate holds) {
        while (!holds()) wait(mutex);
    }
    /// Wakes the task that has waited longest; all that wait now.
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
