// Step 4.4: producers and a consumer.
#define FIBERSCOPE_STEP "4.4"
#define FIBERSCOPE_STRATEGY "producer_consumer"
#include "labs/04_scheduler/tests/strategies/strategies.h"
#include "labs/kit/machines/work.h"

TEST_CASE("4.4 expired tasks go to the end of the ready queue, after tasks that yielded") {
    INFO("producers only put into the queue: an expired task runs after those that were already ready");
    CHECK(turns_of_yielders_and_a_sleeper() == Log{"a", "b", "a", "b", "sleeper"});
}

TEST_CASE("4.4 the clock is read once a round, however many have expired") {
    INFO("read the clock at the beginning of a round, and compare all deadlines with that time");
    Stand stand;
    int woken = 0;
    const auto sleeper = [&woken] { woken += sleep_for(10 * kMicrosecond) == Wake::timeout ? 1 : 0; };
    for (int i = 0; i < 100; ++i) go(sleeper, "sleeper");
    CHECK(stand.sched.run().empty());
    CHECK(woken == 100);
    INFO("all sleep until about the same time: a few rounds wake and run them, and each round reads the clock once");
    CHECK(stand.sched.clock_looks() <= 10);
}

TEST_CASE("4.4 if a deadline and an event are due at the same look, the deadline is first") {
    INFO("a round wakes expired tasks before it asks for events");
    CHECK(a_deadline_and_an_event_at_once() == Log{"time", "event", "told: time"});
}

TEST_CASE("4.4 a woken task becomes ready, with the cause in the trace") {
    INFO("pass the cause to make_ready: a deadline or an event");
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    Log causes;
    for (const trace::Event& e : all_of(recorded, trace::Kind::state))
        causes.push_back(recorded.name(e.co) + " " + std::string(word(e.third<Cause>())));
    CHECK(causes == Log{"reader spawned", "sleeper spawned", "reader event", "sleeper deadline"});
    CHECK(count(recorded, trace::Kind::poll) >= 2);
}

// ---- how long poll waits -------------------------------------------------------------------------------------------

TEST_CASE("4.4 tasks made ready by a round get their turn in that round") {
    INFO("number of rounds after a task queued earlier: first the sleeper, then the reader");
    const std::vector<std::uint64_t> late = rounds_behind_a_yielder();
    INFO("count the turns after both producers: a task that they have woken runs in this round");
    CHECK(late == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("4.4 poll does not wait while a task is ready") {
    INFO("if a task is ready, poll may wait for 0 ns");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 30 * kMicrosecond);
    const Handle reader = go([] { wait_readable(7); }, "reader");
    go([] { sleep_for(20 * kMicrosecond); }, "sleeper");
    run_ready(stand.sched);
    go([] {}, "ready");
    const std::uint64_t before = kit::now();
    CHECK(stand.sched.poll().empty());
    CHECK(kit::now() - before < kMicrosecond);
    INFO("but it polls: otherwise tasks that yield starve those that wait");
    kit::work(40 * kMicrosecond);
    CHECK(stand.sched.poll().size() == 1);
    cancel(reader);
    static_cast<void>(stand.sched.run());
}

TEST_CASE("4.4 poll waits until the first deadline, or an event before it") {
    INFO("the wait ends at the first deadline, or with an event before it");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 50 * kMicrosecond);
    go([] { wait_readable(7, 90 * kMicrosecond); }, "reader");
    go([] { sleep_for(20 * kMicrosecond); }, "short");
    go([] { sleep_for(60 * kMicrosecond); }, "long");
    run_ready(stand.sched);
    const std::uint64_t first = stand.sched.sleeping().first()->deadline;
    CHECK(stand.sched.poll().empty());
    CHECK(kit::now() == first);
    Task& sleeper = *stand.sched.sleeping().first();
    stand.sched.remove(sleeper, Wake::timeout);
    stand.sched.resume(sleeper);
    REQUIRE(stand.sched.poll().size() == 1);
    CHECK(kit::now() < 60 * kMicrosecond);
    static_cast<void>(stand.sched.run());
}

TEST_CASE("4.4 poll waits without a limit if no task sleeps, and throws if no event can occur") {
    INFO("without a deadline poll waits for events without a limit; if none can occur it throws Stuck");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5'000 * kMicrosecond);
    const Handle reader = go([] { wait_readable(7); }, "reader");
    run_ready(stand.sched);
    CHECK(stand.sched.poll().size() == 1);
    CHECK(kit::now() >= 5'000 * kMicrosecond);
    CHECK_THROWS_AS(stand.sched.poll(), Stuck);
    cancel(reader);
    static_cast<void>(stand.sched.run());
}

TEST_CASE("4.4 poll does not wait when no task is alive") {
    INFO("when no task is alive there is nothing to wait for");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 30 * kMicrosecond);
    CHECK_NOTHROW(stand.sched.poll());
    CHECK(kit::now() < kMicrosecond);
}

TEST_CASE("4.4 a task that sleeps forever will never run again") {
    INFO("a deadline of kNever never expires: no event can occur, so poll throws Stuck");
    Stand stand;
    go([] { sleep_for(kNever); }, "sleeper");
    run_ready(stand.sched);
    CHECK_THROWS_AS(stand.sched.poll(), Stuck);
}

namespace {

/// Returns the message of the error that a poll throws; empty if it throws none.
std::string words_of_stuck(Scheduler& sched) {
    try {
        sched.poll();
    } catch (const Stuck& stuck) {
        return stuck.what();
    }
    return {};
}

}  // namespace

TEST_CASE("4.4 if no task can ever run again, the error says what each task waits for") {
    INFO("the error names the tasks that are alive, and what each waits for");
    Stand stand;
    go([] { wait_readable(7); }, "reader");
    go([] { park("a friend"); }, "lonely");
    run_ready(stand.sched);
    const std::string said = words_of_stuck(stand.sched);
    CHECK(said == "no task can ever run again: 'reader' waits for fd 7 to be readable, 'lonely' waits for a friend");
}

TEST_CASE("4.4 the error names five tasks, and counts the others") {
    INFO("given: up to five tasks are named, and '… more' is added only if there are more than five");
    for (const std::size_t tasks : {5U, 7U}) {
        Stand stand;
        for (std::size_t i = 0; i < tasks; ++i) go([] { park("a friend"); }, "lonely");
        run_ready(stand.sched);
        const std::string said = words_of_stuck(stand.sched);
        std::size_t named = 0;
        for (std::size_t at = said.find("'lonely'"); at != std::string::npos; at = said.find("'lonely'", at + 1))
            ++named;
        CHECK(named == 5);
        const std::size_t others = said.find(", and ");
        CHECK((others == std::string::npos ? "" : said.substr(others)) == (tasks == 5 ? "" : ", and 2 more"));
    }
}
