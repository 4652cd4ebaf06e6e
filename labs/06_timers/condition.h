// Step 6.6: libco's condition variable: waits for a signal of another task, with an optional time limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "labs/04_scheduler/tasks.h"
#include "labs/06_timers/manager.h"
#include "labs/kit/sets/recorded_lock.h"

namespace fiberscope::lab06 {

/// As stCoCond_t. Needs no mutex, because no other task runs between two waits of a task. A signal without a waiter is
/// lost: check the condition itself, and wait only while it does not hold. Only tasks of one scheduler may wait.
class Condition {
  public:
    /// Time limits are alarms of `manager`, which must be served (step 6.5). `name` describes the condition in traces,
    /// and must outlive this object.
    Condition(TimerManager& manager, const char* name) noexcept : manager_(manager), name_(name) {}
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;

    /// Waits for a signal, at most `limit` ns (0: until all other ready tasks have run). Returns `event`, `timeout`, or
    /// `cancelled` if the wait was cancelled.
    lab04::Wake wait(std::uint64_t limit = kNever);
    /// Wakes the task that has waited longest. Returns false if none waits.
    bool signal();
    /// Wakes all waiting tasks. Returns their number.
    std::size_t broadcast();
    /// The number of tasks that wait and have neither been signalled nor timed out.
    std::size_t waiting() const noexcept { return line_.size(); }

  private:
    /// A waiting task; a local of its wait. The destructor, which also runs when the stack is unwound, removes it from
    /// the line and cancels its alarm.
    struct Waiter {
        explicit Waiter(Condition& condition) : of(condition), task(lab04::running_task()) {}
        ~Waiter();
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;

        Condition& of;
        lab04::Handle task;
        AlarmHandle alarm;  ///< empty without a limit
        bool timed_out = false;
    };

    // ---- written by the student -------------------------------------------------------------------------------------

    /// Enters the line, sets an alarm if there is a limit, and parks.
    lab04::Wake stand_in_line(std::uint64_t limit);
    /// Alarm callback: removes the waiter from the line, marks it as timed out and wakes it, unless a signal came
    /// first.
    void time_out(Waiter& waiter);
    /// Wakes the first waiter that has not already been woken otherwise. Returns false if there is none.
    bool wake_first();
    std::size_t wake_all();

    // ---- given ------------------------------------------------------------------------------------------------------

    // These three record their changes.
    void push(Waiter& waiter);
    /// Removes and returns the first waiter; null if there is none.
    Waiter* pop();
    /// Returns false if the waiter is not in the line.
    bool remove(Waiter& waiter);

    TimerManager& manager_;
    const char* name_;
    kit::RecordedLock recorded_{name_};
    std::deque<Waiter*> line_;
    bool signals_ = false;     ///< a signal is looking for a task to wake
    bool broadcasts_ = false;  ///< all waiters are leaving the line, which has been recorded
};

}  // namespace fiberscope::lab06
