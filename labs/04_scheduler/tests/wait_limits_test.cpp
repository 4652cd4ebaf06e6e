// Step 4.3: limits near the end of time.
#include "labs/04_scheduler/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.3 a wait with a limit near the end of time has none, and ends by its event") {
    use_virtual_time();
    SimulatedSource io;
    Scheduler sched(Settings{.source = &io});
    io.becomes_ready(7, Want::read, 900 * kMicrosecond);
    Wake woken = Wake::timeout;
    go([&] {
        sleep_for(10 * kMicrosecond);
        woken = wait_readable(7, kNever - 1'000);
    });
    run_waiters(sched);
    INFO("now plus the limit is more than the largest number: the sum must not begin again at 0");
    CHECK(woken == Wake::event);
    CHECK(kit::now() >= 900 * kMicrosecond);
}
