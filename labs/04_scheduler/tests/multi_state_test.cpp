// Step 4.5: the multi-state loop.
#define FIBERSCOPE_STEP "4.5"
#define FIBERSCOPE_STRATEGY "multi_state"
#include "labs/04_scheduler/tests/strategies.h"

TEST_CASE("4.5 expired tasks are resumed on the spot, before tasks that yielded") {
    INFO("this loop resumes each task where it finds it, and puts no task into the queue");
    CHECK(turns_of_yielders_and_a_sleeper() == Log{"a", "b", "sleeper", "a", "b"});
}

TEST_CASE("4.5 a woken task goes through no queue: in the trace only new and yielding tasks are ready") {
    INFO("only a new task and one that yields stand in the ready queue");
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    CHECK(count(recorded, trace::Kind::insert, "ready") == 2);
    CHECK(count(recorded, trace::Kind::state) == 2);
}

TEST_CASE("4.5 the work gives the same as with producers and a consumer") { check_same_work_as("producer_consumer"); }
