// Step 4.4: producers and a consumer.
#define FIBERSCOPE_STEP "4.4"
#define FIBERSCOPE_STRATEGY "producer_consumer"
#include "labs/04_scheduler/tests/strategies.h"

TEST_CASE("4.4 expired tasks go to the end of the ready queue, behind tasks that yielded") {
    CHECK(turns_of_yielders_and_a_sleeper() == Log{"a", "b", "a", "b", "sleeper"});
}

TEST_CASE("4.4 a woken task becomes ready, with the cause in the trace") {
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    Log causes;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::state)
            causes.push_back(recorded.name(recorded[i].co) + " " + std::string(word(recorded[i].third<Cause>())));
    CHECK(causes == Log{"reader spawned", "sleeper spawned", "reader event", "sleeper deadline"});
}
