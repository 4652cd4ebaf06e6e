// Step 4.4: producers and a consumer.
#define FIBERSCOPE_STEP "4.4"
#define FIBERSCOPE_STRATEGY "producer_consumer"
#include "labs/04_scheduler/tests_strategies.h"

TEST_CASE("4.4 the expired go to the end of the ready queue, behind those who yielded") {
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
    CHECK(log == Log{"a", "b", "a", "b", "sleeper"});
}

TEST_CASE("4.4 who is woken becomes ready, with the cause in the trace") {
    const trace::Trace recorded = trace_of("causes", [] {
        Stand stand;
        stand.io.becomes_ready(7, Want::read, 3 * kMicrosecond);
        go([] { wait_readable(7); }, "reader");
        go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
        static_cast<void>(stand.sched.run());
    });
    Log causes;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::state)
            causes.push_back(recorded.name(recorded[i].co) + " " + std::string(word(recorded[i].third<Cause>())));
    CHECK(causes == Log{"reader spawned", "sleeper spawned", "reader event", "sleeper deadline"});
}
