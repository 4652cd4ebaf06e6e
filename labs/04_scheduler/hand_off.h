// Step 4.12: hand-off. A task that leaves picks the next one and switches to it: one switch instead of the two of the
// other loops, into the loop and out again (as in Boost.Fiber, and in libraries with symmetric transfer).
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

/// The same rounds and turns as ProducerConsumer, on one thread. Within a round, control returns to the loop only when
/// a task ends.
class HandOff : public Strategy {
  public:
    /// 4.12. As ProducerConsumer::run, but resumes only the first ready task itself, and another one whenever control
    /// returns before the turns of the round are used up.
    void run(Scheduler& scheduler) override;
    /// 4.12. Called on the stack of a task that yields, sleeps, waits or parks. Hands over to the next task, or returns
    /// to the loop, which inserts this one. `left`, `until` and `reason` as for a backend's yield.
    void leave(Task& self, State left, std::int64_t until, const char* reason) override;
    void on_detach(Scheduler&) override { turns_ = 0; }

  private:
    /// 4.12. Takes a turn of this round for another task; false if none is left. As long as one is left, the queue is
    /// not empty: it contains a task that was ready when the round began and has not run since.
    bool take_turn();
    /// 4.12. Inserts a task that is still running into the set for the state `left`.
    static void insert_leaving(Scheduler& scheduler, Task& self, State left);

    std::size_t turns_ = 0;  ///< remaining in this round; 0 outside of run(), where no task hands over
};

}  // namespace fiberscope::lab04
