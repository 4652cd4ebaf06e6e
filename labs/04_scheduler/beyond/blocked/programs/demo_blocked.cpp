// The demo of step 4.16, with and without Ps.
#include "labs/04_scheduler/programs/demos.h"

#include <string>

#include "labs/04_scheduler/beyond/blocked/go_processors.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

using kit::kMicrosecond;

namespace {

void answer_to(const char* name) {
    go(
        [] {
            for (int request = 1; request <= 4; ++request) {
                kit::work(10 * kMicrosecond);
                kit::note("answer {0}", request);
                yield();
            }
        },
        std::string("answers ") + name);
}

void blocked(const kit::DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    go(
        [] {
            for (const char* name : {"ann", "bob", "cid"}) answer_to(name);
            kit::work(2 * kMicrosecond);
            blocking([] { block_thread_for(150 * kMicrosecond); });
            kit::work(5 * kMicrosecond);
            kit::note("has read the file");
        },
        "reads a file");
    static_cast<void>(scheduler.run());
}

constexpr const char* kGoP[] = {"go_p"};
constexpr kit::Acting kOfGoP{true, kGoP};
const kit::MoreDemos known({
    {"blocked", "three tasks answer while one reads a file: its thread gives its queue away", blocked, kGoNames, kGoP,
     kOfGoP},
    {"blocked_go", "the same by the M:G scheduler: a thread that is blocked keeps its queue", blocked, kGoNames, kGo,
     kOfGo},
});

}  // namespace

}  // namespace fiberscope::lab04
