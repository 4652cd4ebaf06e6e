#include "labs/04_scheduler/beyond/blocked/tests/go_processors.h"
#include "labs/04_scheduler/tests/explored.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// With one P, in any order, no two Gs run at the same time outside of their calls, and each ends.
void one_at_a_time(CallLength length, std::uint64_t ns) {
    int inside = 0, done = 0;
    const auto work_alone = [&] {
        require(++inside == 1, "two Gs run at the same time with one P");
        kit::work(kMicrosecond);
        --inside;
    };
    Scheduler sched(with_ps(1, 1));
    GoProcessors& ps = dynamic_cast<GoProcessors&>(sched.strategy());
    go([&] {
        go([&] {
            work_alone();
            ++done;
        });
        const GoProcessor& p = ps.processor_of(machine_here()->index);
        const auto call = [&] {
            require(p.since.load() != 0, "the P does not record since when its machine is in a call");
            block_thread_for(ns);
        };
        blocking(call, length);
        work_alone();
        ++done;
    });
    const std::vector<Failure> failures = sched.run();
    if (!failures.empty()) throw std::runtime_error(failures.front().what);
    require(done == 2, "a G has not ended");
}

}  // namespace

TEST_CASE("4.16 explored: a machine returns from a call at the moment at which the monitor takes its P") {
    constexpr std::uint64_t kPeriod = GoProcessors::kMonitorPeriod;
    for (const std::uint64_t ns : {kPeriod - 1, kPeriod, kPeriod + 1})
        check_all_orders([ns] { one_at_a_time(CallLength::unknown, ns); });
}

TEST_CASE("4.16 explored: the monitor looks while a machine enters its first call after a long time") {
    constexpr unsigned kMonitor = 2;
    check_all_orders([] {
        WithPs with(1, 1);
        with.waits_for_a_p(1);
        with.run([&](Machine& machine) {
            if (machine.index == 1) return;
            kit::work(2 * GoProcessors::kMonitorPeriod);
            if (machine.index == kMonitor) return static_cast<void>(with.retake());
            with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
            require(with.ps.has_processor(0),
                    "a call that has just begun has lost its P: `since` must be current before the P may be taken");
            require(with.ps.processor_of(0).caller.load() == 0, "the P does not record that its machine is in a call");
            static_cast<void>(with.ps.leave_blocking(with.shared, machine));
        });
    });
}

TEST_CASE("4.16 explored: the monitor goes to sleep while a machine enters a call, with store buffers") {
    const char* const order = "caller.store before the load of monitor_sleeps(), both in one order for all machines";
    const auto one_call = [] {
        Scheduler sched(with_ps(1, 0));
        const GoProcessor& p = dynamic_cast<GoProcessors&>(sched.strategy()).processor_of(0);
        go([&] {
            blocking([&] {
                require(p.since.load() != 0, "the P does not record since when its machine is in a call");
                block_thread_for(kMicrosecond);
            });
        });
        require(sched.run().empty(), "the G has failed");
    };
    check_all_orders(one_call, true, order);
}
