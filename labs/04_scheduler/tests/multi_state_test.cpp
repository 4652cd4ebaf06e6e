// Step 4.5: the multi-state loop.
#define FIBERSCOPE_STEP "4.5"
#define FIBERSCOPE_STRATEGY "multi_state"
#include "labs/04_scheduler/tests/strategies/strategies.h"

TEST_CASE("4.5 expired tasks are resumed at once, before tasks that yielded") {
    INFO("this loop resumes each task when it finds it, and queues none");
    CHECK(turns_of_yielders_and_a_sleeper() == Log{"a", "b", "sleeper", "a", "b"});
}

TEST_CASE("4.5 a woken task goes through no queue: in the trace only new and yielding tasks become ready") {
    INFO("only a new task and a task that yields are in the ready queue");
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    CHECK(count(recorded, trace::Kind::insert, "ready") == 2);
    CHECK(count(recorded, trace::Kind::state) == 2);
}

TEST_CASE("4.5 if a deadline and an event are due at the same look, the deadline is first") {
    INFO("a round resumes expired tasks before it asks for events");
    CHECK(a_deadline_and_an_event_at_once() == Log{"time", "event", "told: time"});
}

TEST_CASE("4.5 tasks made ready by the first two parts of a round get their turn in that round") {
    INFO("count the ready tasks after the expired tasks and the events, not before");
    Stand stand;
    Log& log = stand.log;
    const Handle woken = go([&] {
        park("the first sleeper");
        log.emplace_back("woken");
    });
    later(5 * kMicrosecond, "wakes", [&] { wake(woken); });
    later(14 * kMicrosecond, "sleeper", [&] { log.emplace_back("second sleeper"); });
    go([&] {
        for (int i = 0; i < 3; ++i) {
            kit::work(10 * kMicrosecond);
            yield();
        }
    });
    CHECK(stand.sched.run().empty());
    CHECK(log == Log{"woken", "second sleeper"});
}

TEST_CASE("4.5 the workloads give the same results as with producers and a consumer") {
    check_same_work_as("producer_consumer");
}
