#include "labs/04_scheduler/beyond/preemption.h"
#include "labs/04_scheduler/programs/demos.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

void run_preempted_demo(const Settings& settings, Stage& stage) {
    Scheduler scheduler(settings);
    const Preemption preemption(50 * kit::kMicrosecond);
    stage.long_work = work_preemptibly;
    workload("hog").run(stage);
}

}  // namespace fiberscope::lab04
