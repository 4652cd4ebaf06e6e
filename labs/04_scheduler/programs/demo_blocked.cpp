// The demo of step 4.16, with and without Ps.
#include "labs/04_scheduler/programs/demos.h"

#include <string>

#include "labs/04_scheduler/beyond/go_processors.h"
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

}  // namespace

void run_blocked_demo(const Settings& settings) {
    Scheduler scheduler(settings);
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

}  // namespace fiberscope::lab04
