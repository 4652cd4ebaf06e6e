// Step 4.12: hand-off.
#define FIBERSCOPE_STEP "4.12"
#define FIBERSCOPE_STRATEGY "hand_off"
#include "labs/04_scheduler/tests/strategies/strategies.h"

#include <stdexcept>

namespace {

void go_yielders(int tasks, int yields) {
    for (int i = 0; i < tasks; ++i)
        go([yields] {
            for (int n = 0; n < yields; ++n) yield();
        });
}

/// The switches of a recorded run: those between tasks, by the state of the task that left, and the others.
struct HandOvers {
    std::size_t all = 0, left_ready = 0, left_sleeping = 0, left_waiting = 0;
    std::size_t of_loop = 0;  ///< switches that leave the loop or enter it
};

HandOvers hand_overs_of(const trace::Trace& recorded) {
    HandOvers out;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const trace::Event& e = recorded[i];
        if (e.kind != trace::Kind::switch_) continue;
        if (e.co == 0 || e.other == 0) {
            ++out.of_loop;
            continue;
        }
        ++out.all;
        out.left_ready += e.second<State>() == State::ready ? 1U : 0U;
        out.left_sleeping += e.second<State>() == State::sleeping ? 1U : 0U;
        out.left_waiting += e.second<State>() == State::waiting ? 1U : 0U;
    }
    return out;
}

/// Returns the order in which tasks that yield, spawn others and end get their turns.
Log turns_by(const char* strategy) {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = strategy});
    Log log;
    const std::function<void(int)> yielder = [&](int turns) {
        for (int n = 0; n < turns; ++n) {
            log.push_back(std::to_string(running_task().core().id() % 100) + "." + std::to_string(n));
            if (n == 1) go([&, turns] { yielder(turns - 2); });
            yield();
        }
    };
    for (const int turns : {3, 1, 6, 2}) go([&, turns] { yielder(turns); });
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(sched.run().empty());
    const std::size_t first = std::stoul(log.front());
    for (std::string& entry : log)  // numbers are never reused in a process
        entry = std::to_string(std::stoul(entry) - first) + entry.substr(entry.find('.'));
    return log;
}

}  // namespace

TEST_CASE("4.12 a yield is one switch, from task to task; the loop has control once a round") {
    constexpr int kTasks = 5, kYields = 10;
    const trace::Trace recorded = trace_of("hand_overs", [] {
        Stand stand;
        go_yielders(kTasks, kYields);
        static_cast<void>(stand.sched.run());
    });
    const HandOvers seen = hand_overs_of(recorded);
    INFO("in each round but the last, every task hands over to the next, except the last of the round");
    CHECK(seen.all == (kTasks - 1) * kYields);
    CHECK(seen.left_ready == seen.all);
    INFO("two switches a round, and two for each task that ends");
    CHECK(seen.of_loop == 2 * kYields + 2 * kTasks);
}

TEST_CASE("4.12 if a deadline and an event are due at the same look, the deadline is first") {
    INFO("a round wakes expired tasks before it asks for events");
    CHECK(a_deadline_and_an_event_at_once() == Log{"time", "event", "told: time"});
}

TEST_CASE("4.12 turns are in the same order as with producers and a consumer") {
    INFO("handing over directly changes no task's turn, compared with going through the loop");
    CHECK(turns_by("hand_off") == turns_by("producer_consumer"));
}

TEST_CASE("4.12 tasks made ready by a round get their turn in that round") {
    INFO("number of rounds after a task queued earlier: first the sleeper, then the reader");
    const std::vector<std::uint64_t> late = rounds_behind_a_yielder();
    INFO("count the turns after the deadlines and the events: a task woken by them has one");
    CHECK(late == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("4.12 a task that sleeps or waits hands over too") {
    INFO("sleeping, waiting and parking resume the next task of the round, as a yield does");
    const trace::Trace recorded = trace_of("hand_over_and_sleep", [] {
        Stand stand;
        stand.io.becomes_ready(7, Want::read, 30 * kMicrosecond);
        go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
        go([] { wait_readable(7); }, "reader");
        go([] { wait_readable(8, 5 * kMicrosecond); }, "impatient");
        go([] { park_for("a friend", 5 * kMicrosecond); }, "parked");
        go_yielders(1, 2);
        static_cast<void>(stand.sched.run());
    });
    const HandOvers seen = hand_overs_of(recorded);
    CHECK(seen.left_sleeping == 1);
    CHECK(seen.left_waiting == 3);
}

namespace {
/// Runs all; returns true if each task has ended.
bool all_end(Stand& stand) {
    try {
        return stand.sched.run().empty();
    } catch (const Stuck&) {
        return false;
    }
}
}  // namespace

TEST_CASE("4.12 a task that hands over is in the set that `left` names") {
    EXPECTS("the loop takes a turn for each task that it resumes: when no turn is left, the queue may be empty");
    INFO("a task that hands over is still running: `left`, not its state, says which set it enters");
    Stand stand;
    const Handle sleeper = go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
    const Handle reader = go([] { wait_readable(7, 9 * kMicrosecond); }, "reader");
    const Handle parked = go([] { park_for("a friend", 9 * kMicrosecond); }, "parked");
    go([] { yield(); }, "yields");
    bool sleeps = false, waits = false, parks = false;
    go([&] {
        sleeps = stand.sched.sleeping().contains(sleeper.task());
        waits = stand.sched.waiting().contains(reader.task());
        parks = stand.sched.sleeping().contains(parked.task());
    });
    const bool all_have_ended = all_end(stand);
    CHECK(sleeps);
    CHECK(waits);
    {
        INFO(
            "a task that waits or parks with a limit is in the sleep tree as well: otherwise its time-out never comes");
        CHECK(parks);
    }
    CHECK(all_have_ended);
}

TEST_CASE("4.12 a task that goes back to the loop is inserted by the loop alone") {
    EXPECTS("without a turn a task goes back to the loop as it is: the loop inserts it, and not the task too");
    Stand stand;
    int ended = 0;
    go([&] {
        sleep_for(kMicrosecond);
        wait_readable(7, kMicrosecond);
        park_for("a friend", kMicrosecond);
        yield();
        ++ended;
    });
    const bool all_have_ended = all_end(stand);
    CHECK(ended == 1);
    CHECK(all_have_ended);
}

TEST_CASE("4.12 a round continues when a task has ended in it") {
    INFO("the end of a task goes back to the loop, which resumes the rest of the same round");
    Stand stand;
    int ended = 0;
    for (int i = 0; i < 5; ++i) go([&] { ++ended; });
    CHECK(stand.sched.run().empty());
    CHECK(ended == 5);
    INFO("the loop looks at the clock between two rounds, and not after each end");
    CHECK(stand.sched.clock_looks() == 1);
}

TEST_CASE("4.12 a task that parks is in no set, and continues when it is woken") {
    INFO("a parked task is in no set until it is woken");
    Stand stand;
    const Handle parked =
        go([&] { stand.log.emplace_back(park("a friend") == Wake::event ? "woken" : "?"); }, "lonely");
    go("friend", [&] {
        const bool in_no_set = stand.sched.sleeping().empty() && stand.sched.waiting().empty();
        stand.log.emplace_back(in_no_set && wake(parked) ? "wakes" : "?");
    });
    CHECK(stand.sched.run().empty());
    CHECK(stand.log == Log{"wakes", "woken"});
}

TEST_CASE("4.12 a task that is unwound with its scheduler hands over to no other") {
    INFO("outside of run() a round has no turns");
    Log log;
    struct Last {
        Log& log;
        const char* name;
        ~Last() {
            go([&log = log] { log.emplace_back("never"); }, "late");
            try {
                yield();
            } catch (const kit::Unwind&) {
                log.emplace_back(name);
            }
        }
    };
    {
        Stand stand;
        for (const char* name : {"a", "b"})
            go(name, [&log, name] {
                const Last last{log, name};
                park("nothing");
            });
        CHECK_THROWS_AS(stand.sched.run(), Stuck);
    }
    CHECK(log == Log{"a", "b"});
}

namespace {
struct Unwatching : SimulatedSource {
    void watch(int, Want) override { throw std::runtime_error("watches nothing"); }
};
}  // namespace

TEST_CASE("4.12 if the source cannot watch, the waiting task gets the error and continues") {
    INFO("a task that leaves is inserted while it runs: an exception of insert_waiting leaves its wait");
    INFO(
        "insert it first, and then take the next task out of the queue: if the insert throws, that task would be lost");
    Unwatching source;
    Scheduler sched(Settings{.strategy = "hand_off", .source = &source});
    Log log;
    go_yielders(1, 3);
    go([&] {
        try {
            wait_readable(7);
        } catch (const std::runtime_error& error) {
            log.push_back(error.what());
        }
        yield();
        log.push_back("goes on");
    });
    go_yielders(1, 3);
    CHECK(sched.run().empty());
    CHECK(log == Log{"watches nothing", "goes on"});
}
