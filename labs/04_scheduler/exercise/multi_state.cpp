// Step 4.5: the multi-state loop. It uses the same functions as step 4.4, but resumes a task that has expired or has an
// event directly, without a queue.
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void MultiState::run(Scheduler&) {
    kit::not_implemented("4.5", "MultiState::run: resume the expired, resume the waiters, resume the queued; repeat");
}

}  // namespace fiberscope::lab04
