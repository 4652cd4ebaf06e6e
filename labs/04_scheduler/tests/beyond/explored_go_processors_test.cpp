// Step 4.16 in every order of its machines' steps that a bounded search comes to.
#include "labs/04_scheduler/tests/beyond/explored.h"
#include "labs/04_scheduler/tests/beyond/go_processors.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// One P: whatever the order, no two Gs run at the same time outside of their calls, and each comes to its end.
void one_at_a_time(CallLength length, std::uint64_t ns) {
    int inside = 0, done = 0;
    const auto work_alone = [&] {
        require(++inside == 1, "two Gs run at the same time, and there is one P");
        kit::work(kMicrosecond);
        --inside;
    };
    Scheduler sched(with_ps(1, 1));
    go([&] {
        go([&] {
            work_alone();
            ++done;
        });
        blocking([&] { block_thread_for(ns); }, length);
        work_alone();
        ++done;
    });
    const std::vector<Failure> failures = sched.run();
    if (!failures.empty()) throw std::runtime_error(failures.front().what);
    require(done == 2, "a G has not come to its end");
}

}  // namespace

TEST_CASE("4.16 explored: a machine comes back at the moment at which the monitor takes its P") {
    for (const std::uint64_t early : {0, 1, -1})
        check_all_orders([early] { one_at_a_time(CallLength::unknown, GoProcessors::kMonitorPeriod - early); });
}

TEST_CASE("4.16 explored: a call that is surely long, and short all the same") {
    check_all_orders([] { one_at_a_time(CallLength::surely_long, kMicrosecond); });
}

TEST_CASE("4.16 explored: a monitor that goes to sleep while a machine enters a call, with store buffers") {
    const char* const order = "caller.store before the look at monitor_sleeps(), both in one order for all machines";
    const auto one_call = [] {
        Scheduler sched(with_ps(1, 0));
        go([] { blocking([] { block_thread_for(3 * GoProcessors::kMonitorPeriod); }); });
        require(sched.run().empty(), "the G has failed");
    };
    check_all_orders(one_call, true, order);
}
