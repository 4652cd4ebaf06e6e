// Whole programs with every strategy: exceptions, errors, workloads. Included by strategies.h.
#pragma once

#include <new>

#include "labs/04_scheduler/tests/strategies/strategies_stand.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/allocations.h"

TEST_CASE(FIBERSCOPE_STEP " an exception in a task is reported with its name, and the others continue") {
    INFO("run returns the tasks that failed, by name, and the other tasks continue");
    Stand stand;
    go("baker", [] {
        yield();
        throw std::runtime_error("no more flour");
    });
    go([] { throw 42; }, "odd");
    later(5 * kMicrosecond, "other", [&] { stand.log.emplace_back("the other ended"); });
    const std::vector<Failure> failures = stand.sched.run();
    REQUIRE(failures.size() == 2);
    CHECK(failures[0].task == "odd");
    CHECK(failures[1].task == "baker");
    CHECK(failures[1].what == "no more flour");
    CHECK(stand.log == Log{"the other ended"});
    CHECK(stand.sched.run().empty());
}

TEST_CASE(FIBERSCOPE_STEP " run throws when no task can ever run again, and continues after a wake") {
    INFO("Stuck leaves the tasks alive: after a wake the loop can continue");
    Stand stand;
    const Handle parked =
        go([&] { stand.log.emplace_back(park("a friend") == Wake::event ? "woken" : "?"); }, "lonely");
    CHECK_THROWS_AS(stand.sched.run(), Stuck);
    CHECK(wake(parked));
    CHECK(stand.sched.run().empty());
    CHECK(stand.log == Log{"woken"});
}

TEST_CASE(FIBERSCOPE_STEP " only the thread may call run: a call by a task throws") {
    INFO("only the thread may call run: a task that calls it is refused");
    Stand stand;
    std::optional<kit::Misuse> refused;
    go([&] { refused = misuse_of([&] { static_cast<void>(stand.sched.run()); }); }, "task");
    CHECK(stand.sched.run().empty());
    REQUIRE(refused.has_value());
    CHECK(refused->name() == "task");
}

TEST_CASE(FIBERSCOPE_STEP " every workload gives the same results on both backends") {
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        Results results[2];
        std::size_t n = 0;
        for (const auto* backend : {&kit::asm_backend, &kit::ucontext_backend}) {
            kit::choose_clock(kit::clock_kind());
            Stand stand(*backend);
            Stage stage{stand.io, 5};
            results[n++] = one.run(stage);
            INFO("no task may be left when run returns");
            CHECK(stand.sched.alive() == 0);
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

TEST_CASE(FIBERSCOPE_STEP " tasks whose deadlines pass together wake together") {
    INFO("take all expired tasks out in one round, not one per round");
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
    go("yielder", [&] {
        while (!over) {
            kit::work(kMicrosecond);
            yield();
            ++turns;
        }
    });
    CHECK(stand.sched.run().empty());
    REQUIRE(wakes.size() == kSleepers);
    INFO("turns of another task between the first and the last of them");
    CHECK(wakes.back() - wakes.front() <= 4);
}

TEST_CASE(FIBERSCOPE_STEP " a thousand turns of existing tasks allocate no memory") {
    INFO("tasks are linked into their sets intrusively: an allocation per turn would happen a thousand times");
    record_nothing();
    Stand stand;
    std::size_t asked = 99;
    for (int task = 0; task < 10; ++task)
        go("takes turns", [&asked, measures = task == 0] {
            std::size_t before = 0;
            for (int turn = 0; turn < 120; ++turn) {
                if (turn == 20) before = kit::testing::allocations();
                turn % 2 == 0 ? yield() : static_cast<void>(sleep_for(kMicrosecond));
            }
            if (measures) asked = kit::testing::allocations() - before;
        });
    CHECK(stand.sched.run().empty());
    CHECK(asked <= 20);
}

TEST_CASE(FIBERSCOPE_STEP " a go that cannot allocate leaves no task") {
    INFO("given: a task that is not in the ready queue must not count as alive, or run() would wait for it");
    record_nothing();
    Stand stand;
    go([] {});  // a function that is not written yet throws now, which needs memory
    CHECK(stand.sched.run().empty());
    Handle made;
    for (std::size_t enough = 0; !made && enough < 50; ++enough) {
        try {
            const kit::testing::AllocationLimit little(enough);
            made = stand.sched.go([] {});
        } catch (const std::bad_alloc&) {
            REQUIRE((stand.sched.alive() == 0 && stand.sched.oldest() == nullptr));
        }
    }
    CHECK((stand.sched.run().empty() && made && made.done()));
}
