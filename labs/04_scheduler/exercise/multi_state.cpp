// Step 4.5: the multi-state loop. It uses what step 4.4 uses; but a task that has expired, or has an event, is resumed
// on the spot and goes through no queue.
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void MultiState::run(Scheduler&) {
    kit::not_implemented("4.5", "MultiState::run: resume the expired, resume the waiters, resume the queued; again");
}

}  // namespace fiberscope::lab04
