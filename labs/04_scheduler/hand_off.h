// Step 4.12: hand-off. A task that leaves picks the next one and switches to it: one switch where the other loops make
// two, into the loop and out of it again (as Boost.Fiber does, and libraries with symmetric transfer).
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

/// The rounds of ProducerConsumer with the same turns, on one thread. Between two turns of a round control does not
/// come back to the loop, unless a task ends.
class HandOff : public Strategy {
  public:
    /// 4.12. As ProducerConsumer::run, but of the tasks that are ready it only enters the first; the loop enters
    /// another when control has come back before the turns of the round are used up.
    void run(Scheduler& scheduler) override;
    /// 4.12. A task yields, as by `yield()`: called on its stack. It hands over, or goes back to the loop.
    static void leave_ready();
    /// 4.12. The same for one that sleeps, waits or parks: it will be `left`, until `until` (as a backend's yield).
    static void leave(State left, std::int64_t until, const char* reason);

    /// Given: a new task leaves by the two functions above.
    void enqueue_new(Scheduler& scheduler, Task& task) override;
    void on_attach(Scheduler& scheduler) override;
    void on_detach(Scheduler& scheduler) override;

  private:
    /// 4.12. Takes a turn of this round for another task; false if none is left. As long as one is left, the queue has
    /// a task: one that was ready when the round began, and has not run since.
    bool take_turn();
    /// 4.12. Puts a task, which runs still, into the set that `left` names.
    static void insert_leaving(Scheduler& scheduler, Task& self, State left);

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// The scheduler of the task that runs here, and its strategy. Asked of the thread, and not of the task: so a
    /// processor finds both before it knows which task runs.
    static Scheduler& here() noexcept { return *machine_here()->sched; }
    static HandOff& of(Scheduler& scheduler) noexcept { return static_cast<HandOff&>(scheduler.strategy()); }
    /// Runs `first`, until any task comes back to the loop; it is inserted as its state says.
    void enter(Scheduler& scheduler, Task& first);
    /// The task that runs here leaves for `next`. In place of a `return`: what comes behind it runs much later.
    void hand_over_ready(Task& next) {
        begin(next);
        next.backend->hand_over_ready(next.core());
    }
    /// `self` goes to the end of the ready queue, and leaves for the first: push, pop and hand_over_ready in one.
    void hand_over_in_turn(Scheduler& scheduler, Task& self) {
        if (Task* next = scheduler.ready().exchange(self)) [[likely]]
            return hand_over_ready(*next);
        hand_over_with_care(scheduler, self);
    }
    void hand_over(Task& next, State left, std::int64_t until, const char* reason) {
        begin(next);
        next.backend->hand_over(next.core(), left, until, reason);
    }
    /// It leaves for the loop, which inserts it.
    static void back_to_loop(const Task& self, State left, std::int64_t until, const char* reason) {
        self.sched->backend().yield(left, until, reason);
    }
    static void back_to_loop_ready(const Task& self) { self.sched->backend().yield_ready(); }

    [[gnu::noinline, gnu::cold]] void hand_over_with_care(Scheduler& scheduler, Task& self);
    void begin(Task& next) noexcept {
        machine_here()->running = &next;
        next.started = true;
    }

    const kit::CoroutineBackend* backend_ = nullptr;  ///< its tasks'
    std::size_t turns_ = 0;  ///< left in this round; 0 outside of run(): no task hands over there
};

}  // namespace fiberscope::lab04
