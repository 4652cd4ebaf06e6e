// Steps 4.4 and 4.5: what both strategies must do. A file says which one, and under which step:
//
//     #define FIBERSCOPE_STEP "4.4"
//     #define FIBERSCOPE_STRATEGY "producer_consumer"
//     #define FIBERSCOPE_MACHINES 2   (of a strategy that has several)
//     #include "labs/04_scheduler/tests/strategies.h"
#pragma once

#include <algorithm>
#include <stdexcept>

#include "labs/04_scheduler/tests/support.h"
#include "labs/04_scheduler/workloads.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

#ifndef FIBERSCOPE_MACHINES
#define FIBERSCOPE_MACHINES 1
#endif

namespace {

/// A scheduler with the strategy of this file, on simulated events.
struct Stand {
    explicit Stand(const kit::CoroutineBackend& backend = kit::asm_backend)
        : sched(Settings{
              .strategy = FIBERSCOPE_STRATEGY, .backend = &backend, .source = &io, .machines = FIBERSCOPE_MACHINES}) {}
    SimulatedSource io;
    Scheduler sched;
    Log log;
};

// In which order two who yield and one who sleeps for a moment come to their turn.
[[maybe_unused]] Log turns_of_yielders_and_a_sleeper() {
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
    return log;
}

// The trace of one who waits for an event and one who sleeps.
[[maybe_unused]] trace::Trace trace_of_a_reader_and_a_sleeper() {
    return trace_of("reader_and_sleeper", [] {
        Stand stand;
        stand.io.becomes_ready(7, Want::read, 3 * kMicrosecond);
        go([] { wait_readable(7); }, "reader");
        go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
        static_cast<void>(stand.sched.run());
    });
}

Results work_by(const char* strategy, const Workload& workload) {
    kit::choose_clock(kit::clock_kind());
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = strategy, .source = &io});
    Stage stage{io, 11};
    return workload.run(stage);
}

// Every workload but the long one gives by the strategy of this file what it gives by `other`.
[[maybe_unused]] void check_same_work_as(const char* other) {
    use_virtual_time();
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(one.name);
        CHECK(work_by(FIBERSCOPE_STRATEGY, one) == work_by(other, one));
    }
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP " an empty scheduler returns at once") {
    use_virtual_time();
    Stand stand;
    CHECK(stand.sched.run().empty());
    CHECK(kit::now() < kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " run comes back as soon as the last one has ended") {
    use_virtual_time();
    Stand stand;
    stand.io.becomes_ready(3, Want::read, 1'000'000 * kMicrosecond);
    go([] { sleep_for(30 * kMicrosecond); }, "sleeper");
    CHECK(stand.sched.run().empty());
    INFO("NtyCo waits three more seconds");
    CHECK(kit::now() < 31 * kMicrosecond);
    CHECK(stand.sched.run().empty());
}

TEST_CASE(FIBERSCOPE_STEP " tasks that yield, sleep and wait all come to their end") {
    use_virtual_time();
    Stand stand;
    Log& log = stand.log;
    stand.io.becomes_ready(7, Want::read, 20 * kMicrosecond);
    go(
        [&] {
            wait_readable(7);
            log.emplace_back("reader");
        },
        "reader");
    go(
        [&] {
            sleep_for(10 * kMicrosecond);
            log.emplace_back("sleeper");
        },
        "sleeper");
    go(
        [&] {
            yield();
            log.emplace_back("yielder");
        },
        "yielder");
    CHECK(stand.sched.run().empty());
    CHECK(log == Log{"yielder", "sleeper", "reader"});
    INFO("while nobody can run, time jumps to the next deadline or event");
    CHECK(kit::now() >= 20 * kMicrosecond);
    CHECK(kit::now() < 22 * kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " yielders do not starve a sleeper, nor one that waits") {
    use_virtual_time();
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 15 * kMicrosecond);
    std::uint64_t slept = 0, waited = 0;
    bool over = false;
    for (int i = 0; i < 3; ++i)
        go(
            [&] {
                for (int n = 0; n < 200 && !over; ++n) {
                    kit::work(kMicrosecond);
                    yield();
                }
            },
            "yielder");
    go(
        [&] {
            sleep_for(10 * kMicrosecond);
            slept = kit::now();
        },
        "sleeper");
    go(
        [&] {
            wait_readable(7);
            waited = kit::now();
            over = true;
        },
        "reader");
    CHECK(stand.sched.run().empty());
    INFO("the ready queue is never empty while they yield: a round must not run longer than the queue was");
    CHECK(slept < 20 * kMicrosecond);
    CHECK(waited < 25 * kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " a task that sleeps for a moment again and again does not starve the others") {
    use_virtual_time();
    Stand stand;
    bool over = false;
    int naps = 0;
    go(
        [&] {
            while (!over && ++naps < 1000) {
                sleep_for(1);
                kit::work(10);
            }
        },
        "napper");
    go(
        [&] {
            yield();
            yield();
            over = true;
        },
        "other");
    CHECK(stand.sched.run().empty());
    INFO("who has gone to sleep in this round is not to be woken in it again");
    CHECK(naps < 5);
}

TEST_CASE(FIBERSCOPE_STEP " a task that waits again for the same event is not woken by it twice") {
    use_virtual_time();
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    stand.io.becomes_ready(7, Want::read, 25 * kMicrosecond);
    std::vector<std::uint64_t> woken;
    go(
        [&] {
            for (int i = 0; i < 2; ++i) {
                wait_readable(7);
                woken.push_back(kit::now());
            }
        },
        "reader");
    CHECK(stand.sched.run().empty());
    REQUIRE(woken.size() == 2);
    CHECK(woken[0] < 6 * kMicrosecond);
    CHECK(woken[1] >= 25 * kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " a cancelled one does not run twice, whoever else was to be woken with it") {
    use_virtual_time();
    Stand stand;
    int runs = 0;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    Handle second;
    go(
        [&] {
            wait_readable(7);
            cancel(second);
        },
        "first");
    second = go(
        [&] {
            wait_readable(7);
            ++runs;
        },
        "second");
    CHECK(stand.sched.run().empty());
    CHECK(runs == 1);
}

TEST_CASE(FIBERSCOPE_STEP " an exception in a task is told with its name, and the others go on") {
    use_virtual_time();
    Stand stand;
    go(
        [] {
            yield();
            throw std::runtime_error("no more flour");
        },
        "baker");
    go([] { throw 42; }, "odd");
    go(
        [&] {
            sleep_for(5 * kMicrosecond);
            stand.log.emplace_back("the other ended");
        },
        "other");
    const std::vector<Failure> failures = stand.sched.run();
    REQUIRE(failures.size() == 2);
    CHECK(failures[0].task == "odd");
    CHECK(failures[1].task == "baker");
    CHECK(failures[1].what == "no more flour");
    CHECK(stand.log == Log{"the other ended"});
    CHECK(stand.sched.run().empty());
}

TEST_CASE(FIBERSCOPE_STEP " tasks that begin tasks that begin tasks all end") {
    use_virtual_time();
    Stand stand;
    int ended = 0;
    const std::function<void(int)> tree = [&](int depth) {
        for (int i = 0; i < 3 && depth > 0; ++i) go([&, depth] { tree(depth - 1); }, "node");
        sleep_for(kMicrosecond);
        ++ended;
    };
    go([&] { tree(4); }, "root");
    CHECK(stand.sched.run().empty());
    CHECK(ended == 121);
}

TEST_CASE(FIBERSCOPE_STEP " run ends with an error when no task can ever run again, and goes on after a wake") {
    use_virtual_time();
    Stand stand;
    const Handle parked =
        go([&] { stand.log.emplace_back(park("a friend") == Wake::event ? "woken" : "?"); }, "lonely");
    CHECK_THROWS_AS(stand.sched.run(), Stuck);
    CHECK(wake(parked));
    CHECK(stand.sched.run().empty());
    CHECK(stand.log == Log{"woken"});
}

TEST_CASE(FIBERSCOPE_STEP " run is the thread's: a task that calls it is told so") {
    use_virtual_time();
    Stand stand;
    std::optional<kit::Misuse> refused;
    go([&] { refused = misuse_of([&] { static_cast<void>(stand.sched.run()); }); }, "task");
    CHECK(stand.sched.run().empty());
    REQUIRE(refused.has_value());
    CHECK(refused->name() == "task");
}

TEST_CASE(FIBERSCOPE_STEP " the same on both backends: every workload gives the same results") {
    use_virtual_time();
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        Results results[2];
        std::size_t n = 0;
        for (const auto* backend : {&kit::asm_backend, &kit::ucontext_backend}) {
            kit::choose_clock(kit::clock_kind());
            Stand stand(*backend);
            Stage stage{stand.io, 5};
            results[n++] = one.run(stage);
        }
        INFO(one.name);
        CHECK_FALSE(results[0].empty());
        CHECK(results[0] == results[1]);
    }
}

TEST_CASE(FIBERSCOPE_STEP " the traces of all workloads keep every rule") {
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(one.name);
        const trace::Trace recorded = trace_of(one.name, [&] {
            Stand stand;
            Stage stage{stand.io, 3};
            one.run(stage);
        });
        CHECK(count(recorded, trace::Kind::switch_) > 40);
        CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
    }
}

TEST_CASE(FIBERSCOPE_STEP " ten thousand short lives all end") {
    record_nothing();
    Stand stand;
    Stage stage{stand.io, 1};
    const Results results = workload("storm").run(stage);
    CHECK(results.size() == 10'000);
    CHECK(stand.sched.alive() == 0);
}

TEST_CASE(FIBERSCOPE_STEP " one event wakes every task that waits for it") {
    use_virtual_time();
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 20 * kMicrosecond);
    int woken = 0;
    for (const char* name : {"first", "second", "third"})
        go([&] { woken += wait_readable(7, 500 * kMicrosecond) == Wake::event ? 1 : 0; }, name);
    CHECK(stand.sched.run().empty());
    INFO("an event is told once: a task that it does not wake waits for the next one");
    CHECK(woken == 3);
}

TEST_CASE(FIBERSCOPE_STEP " tasks whose deadlines pass together wake together") {
    use_virtual_time();
    Stand stand;
    constexpr int kSleepers = 8;
    std::vector<std::uint64_t> wakes;
    std::uint64_t turns = 0;
    bool over = false;
    for (int i = 0; i < kSleepers; ++i)
        go([&] {
            sleep_for(50 * kMicrosecond);
            wakes.push_back(turns);
            over = wakes.size() == kSleepers;
        });
    go(
        [&] {
            for (; !over; ++turns) {
                kit::work(kMicrosecond);
                yield();
            }
        },
        "yielder");
    CHECK(stand.sched.run().empty());
    REQUIRE(wakes.size() == kSleepers);
    INFO("turns of another task between the first and the last of them");
    CHECK(wakes.back() - wakes.front() <= 4);
}
