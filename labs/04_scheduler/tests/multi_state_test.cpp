// Step 4.5: the multi-state loop.
#define FIBERSCOPE_STEP "4.5"
#define FIBERSCOPE_STRATEGY "multi_state"
#include "labs/04_scheduler/tests/strategies/strategies.h"

TEST_CASE("4.5 expired tasks are resumed on the spot, before tasks that yielded") {
    INFO("this loop resumes each task where it finds it, and puts no task into the queue");
    CHECK(turns_of_yielders_and_a_sleeper() == Log{"a", "b", "sleeper", "a", "b"});
}

TEST_CASE("4.5 a woken task goes through no queue: in the trace only new and yielding tasks are ready") {
    INFO("only a new task and a task that yields are in the ready queue");
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    CHECK(count(recorded, trace::Kind::insert, "ready") == 2);
    CHECK(count(recorded, trace::Kind::state) == 2);
}

TEST_CASE("4.5 of a deadline and an event that are due at the same look the deadline comes first") {
    INFO("a round resumes those whose time has come before it asks for events");
    CHECK(a_deadline_and_an_event_at_once() == Log{"time", "event", "told: time"});
}

TEST_CASE("4.5 a task that the first two parts of a round made ready has its turn in that round") {
    INFO("look how many tasks are ready behind the expired and the events, not before them");
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

TEST_CASE("4.5 the work gives the same as with producers and a consumer") { check_same_work_as("producer_consumer"); }
