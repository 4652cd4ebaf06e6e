// Step 6.6: libco's condition variable: to wait for another task's signal, for some time at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "labs/04_scheduler/tasks.h"
#include "labs/06_timers/manager.h"
#include "labs/kit/sets/recorded_lock.h"

namespace fiberscope::lab06 {

/// As stCoCond_t: no mutex goes with it, because between two waits of a task no other runs. A signal that no task waits
/// for is lost: look at the condition itself, and wait only while it does not hold. Of one scheduler, whose tasks alone
/// may wait.
class Condition {
  public:
    /// The limits of waits are alarms of `manager`, which must be served (step 6.5). `name` says in traces what is
    /// waited for, and must outlive this.
    Condition(TimerManager& manager, const char* name) noexcept : manager_(manager), name_(name) {}
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;

    /// Waits for a signal, `limit` ns at most (0: the others that are ready run first): `event`, or `timeout`;
    /// `cancelled` if the wait was cancelled.
    lab04::Wake wait(std::uint64_t limit = kNever);
    /// Wakes the one that has waited longest. False if none waits.
    bool signal();
    /// Wakes all that wait now. How many.
    std::size_t broadcast();
    /// How many wait, and have been neither signalled nor timed out.
    std::size_t waiting() const noexcept { return line_.size(); }

  private:
    /// One that waits: lies on the stack of its wait. When that ends, however it does (also by the stack's unwinding),
    /// it stands in the line no more and its alarm is cancelled.
    struct Waiter {
        explicit Waiter(Condition& condition) : of(condition), task(lab04::running_task()) {}
        ~Waiter();
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;

        Condition& of;
        lab04::Handle task;
        AlarmHandle alarm;  ///< of one that waits with a limit
        bool timed_out = false;
    };

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// Into the line, with an alarm if there is a limit; then parks.
    lab04::Wake stand_in_line(std::uint64_t limit);
    /// What the alarm calls: out of the line, with the reason, and woken; unless a signal was faster.
    void time_out(Waiter& waiter);
    /// A signal must not be spent on one that has been woken already.
    bool wake_first();
    std::size_t wake_all();

    // ---- what is given ----------------------------------------------------------------------------------------------

    // All three are recorded.
    void push(Waiter& waiter);
    /// The first, which then stands in the line no more; null if there is none.
    Waiter* pop();
    /// False if it does not stand in the line.
    bool remove(Waiter& waiter);

    TimerManager& manager_;
    const char* name_;
    kit::RecordedLock recorded_{name_};
    std::deque<Waiter*> line_;
    bool signals_ = false;     ///< a signal looks for one to wake
    bool broadcasts_ = false;  ///< all leave the line, which is recorded already
};

}  // namespace fiberscope::lab06
