// Step 4.16 on real threads: calls that really block, and very many of them. Checks order and counts, not times.
#include <unistd.h>

#include <atomic>

#include "labs/04_scheduler/beyond/blocked/tests/go_processors.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.16 very many calls on real threads: each G continues once after each, never two with one P") {
    EXPECTS("exactly one of a returning machine and the monitor gets the P; otherwise Gs are lost or run twice");
    record_nothing(kRealTime);
    constexpr int kTasks = 6, kCalls = kit::kUnderSanitizer ? 60 : 600;
    constexpr int kPs = 2;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::atomic<int> calls{0}, running{0};
    std::atomic<bool> too_many{false};
    std::atomic<ssize_t> bytes{0};
    Scheduler sched(with_ps(kPs, 2));
    for (int task = 0; task < kTasks; ++task)
        go([&, task] {
            for (int i = 0; i < kCalls; ++i) {
                if (++running > kPs) too_many = true;
                --running;
                const bool is_long = (i + task) % 8 == 0;
                blocking([&] {
                    if (is_long) usleep(30);
                    ++calls;
                });
                if (i % 4 == 0) yield();
            }
            char byte = 0;  // as many Gs as there are Ps end up in read, and one more writes
            if (task < kPs) blocking([&] { bytes += read(ends[0], &byte, 1); });
            if (task == kPs) bytes += write(ends[1], "ab", kPs);
        });
    CHECK(sched.run().empty());
    CHECK(calls == kTasks * kCalls);
    CHECK(bytes == 2 * kPs);
    INFO("as many Gs run at once as there are Ps, and no more");
    CHECK_FALSE(too_many);
    close(ends[0]);
    close(ends[1]);
}
