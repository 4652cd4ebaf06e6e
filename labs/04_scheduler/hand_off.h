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
    /// 4.12. As ProducerConsumer::run, but of the tasks that are ready it only resumes the first; the loop resumes
    /// another when control has come back before the turns of the round are used up.
    void run(Scheduler& scheduler) override;
    /// 4.12. A task yields, sleeps, waits or parks: called on its stack. It hands over, or goes back to the loop, which
    /// inserts it. It will be `left`, until `until`, for a `reason` (as a backend's yield).
    void leave(Task& self, State left, std::int64_t until, const char* reason) override;
    void on_detach(Scheduler&) override { turns_ = 0; }

  private:
    /// 4.12. Takes a turn of this round for another task; false if none is left. As long as one is left, the queue has
    /// a task: one that was ready when the round began, and has not run since.
    bool take_turn();
    /// 4.12. Puts a task, which runs still, into the set that `left` names.
    static void insert_leaving(Scheduler& scheduler, Task& self, State left);

    std::size_t turns_ = 0;  ///< left in this round; 0 outside of run(): no task hands over there
};

}  // namespace fiberscope::lab04
