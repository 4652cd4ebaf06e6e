#include "labs/04_scheduler/beyond/preemption/preemption.h"
#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/programs/demos.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

namespace {

void hog_preempted(const kit::DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    const Preemption preemption(50 * kit::kMicrosecond);
    Stage stage{io, options.seed};
    stage.long_work = work_preemptibly;
    workload("hog").run(stage);
}

constexpr kit::CodeRow kCode[] = {{"program", "", "4.17", "beyond/preemption/exercise/preemption.cpp"}};
const kit::KnownCode code("04_scheduler", kCode, {.only = "hog_preempted"});
const kit::MoreDemos known({
    {"hog_preempted", "the same, and a signal stops what has run for 50 µs", hog_preempted, nullptr, kOneThread,
     kSeedAlone},
});

}  // namespace

}  // namespace fiberscope::lab04
