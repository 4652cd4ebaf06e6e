// Step 4.5: the multi-state loop.
#define FIBERSCOPE_STEP "4.5"
#define FIBERSCOPE_STRATEGY "multi_state"
#include "labs/04_scheduler/tests_strategies.h"

TEST_CASE("4.5 the expired are resumed on the spot, before those who yielded") {
    use_virtual_time();
    Stand stand;
    Log& log = stand.log;
    go(
        [&] {
            sleep_for(kMicrosecond);
            log.emplace_back("sleeper");
        },
        "sleeper");
    for (const char* name : {"a", "b"})
        go(
            [&log, name] {
                for (int i = 0; i < 2; ++i) {
                    kit::work(5 * kMicrosecond);
                    log.emplace_back(name);
                    yield();
                }
            },
            name);
    CHECK(stand.sched.run().empty());
    CHECK(log == Log{"a", "b", "sleeper", "a", "b"});
}

TEST_CASE("4.5 who is woken goes through no queue: in the trace only new ones and yielders are ready") {
    const trace::Trace recorded = trace_of("no_queue", [] {
        Stand stand;
        stand.io.becomes_ready(7, Want::read, 3 * kMicrosecond);
        go([] { wait_readable(7); }, "reader");
        go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
        static_cast<void>(stand.sched.run());
    });
    CHECK(count(recorded, trace::Kind::insert, "ready") == 2);
    CHECK(count(recorded, trace::Kind::state) == 2);
}

TEST_CASE("4.5 the work gives the same as with producers and a consumer") {
    use_virtual_time();
    for (const Workload& one : workloads()) {
        if (one.name == std::string_view("storm")) continue;
        std::vector<Results> all;
        for (const char* strategy : strategy_names()) {
            kit::choose_clock(kit::clock_kind());
            SimulatedSource io;
            Scheduler sched(Settings{.strategy = strategy, .source = &io});
            Stage stage{io, 11};
            all.push_back(one.run(stage));
        }
        INFO(one.name);
        for (const Results& results : all) CHECK(results == all.front());
    }
}
