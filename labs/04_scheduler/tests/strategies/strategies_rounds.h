// Rounds of every strategy: each task gets its turn, none twice. Included by strategies.h.
#pragma once

#include "labs/04_scheduler/tests/strategies/strategies_stand.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

TEST_CASE(FIBERSCOPE_STEP " an empty scheduler returns at once") {
    INFO("with no task alive the loop returns at once");
    Stand stand;
    CHECK(stand.sched.run().empty());
    CHECK(kit::now() < kMicrosecond);
    INFO("with the next task it starts again");
    bool ran = false;
    go([&] { ran = true; }, "later");
    CHECK(stand.sched.run().empty());
    CHECK(ran);
}

TEST_CASE(FIBERSCOPE_STEP " run returns as soon as the last task has ended") {
    INFO("check whether a task is alive before you wait again");
    Stand stand;
    stand.io.becomes_ready(3, Want::read, 1'000'000 * kMicrosecond);
    go([] { sleep_for(30 * kMicrosecond); }, "sleeper");
    CHECK(stand.sched.run().empty());
    INFO("not before it has ended: it sleeps for 30 us");
    CHECK(kit::now() >= 30 * kMicrosecond);
    INFO("NtyCo would wait three more seconds");
    CHECK(kit::now() < 31 * kMicrosecond);
    CHECK(stand.sched.run().empty());
}

TEST_CASE(FIBERSCOPE_STEP " tasks that yield, sleep and wait all end") {
    INFO("a round wakes expired tasks and tasks with events, and runs ready tasks");
    Stand stand;
    Log& log = stand.log;
    stand.io.becomes_ready(7, Want::read, 20 * kMicrosecond);
    go("reader", [&] {
        wait_readable(7);
        log.emplace_back("reader");
    });
    later(10 * kMicrosecond, "sleeper", [&] { log.emplace_back("sleeper"); });
    go("yielder", [&] {
        yield();
        log.emplace_back("yielder");
    });
    CHECK(stand.sched.run().empty());
    CHECK(log == Log{"yielder", "sleeper", "reader"});
    INFO("while no task can run, time jumps to the next deadline or event");
    CHECK(kit::now() >= 20 * kMicrosecond);
    CHECK(kit::now() < 22 * kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " yielders do not starve a sleeper, nor a waiting task") {
    INFO("check the clock and the events in each round");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 15 * kMicrosecond);
    std::uint64_t slept = 0, waited = 0;
    bool over = false;
    for (int i = 0; i < 3; ++i)
        go("yielder", [&] {
            for (int n = 0; n < 200 && !over; ++n) {
                kit::work(kMicrosecond);
                yield();
            }
        });
    later(10 * kMicrosecond, "sleeper", [&] { slept = kit::now(); });
    go("reader", [&] {
        wait_readable(7);
        waited = kit::now();
        over = true;
    });
    CHECK(stand.sched.run().empty());
    INFO("check the deadlines in each round, and run only the tasks that were ready when it began: yielders never end");
    CHECK(slept >= 10 * kMicrosecond);
    CHECK(slept < 20 * kMicrosecond);
    INFO("ask for events in each round, too, even while a task is ready: then without waiting");
    CHECK(waited >= 15 * kMicrosecond);
    CHECK(waited < 25 * kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " a task that repeatedly sleeps briefly does not starve the others") {
    EXPECTS("each task gets its turn in each round, and a task that sleeps is in the sleep tree and in no other set");
    Stand stand;
    bool over = false;
    int naps = 0;
    go("napper", [&] {
        while (!over && ++naps < 1000) {
            sleep_for(1);
            kit::work(10);
        }
    });
    go("other", [&] {
        yield();
        yield();
        over = true;
    });
    CHECK(stand.sched.run().empty());
    INFO("a task that has gone to sleep in this round must not be woken in it again");
    CHECK(over);
    CHECK(naps > 0);
    CHECK(naps < 5);
}

TEST_CASE(FIBERSCOPE_STEP " a task that waits again for the same event is not woken by it twice") {
    EXPECTS("an old event does not wake a task that began to wait after it");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    stand.io.becomes_ready(7, Want::read, 25 * kMicrosecond);
    std::vector<std::uint64_t> woken;
    go("reader", [&] {
        for (int i = 0; i < 2; ++i) {
            wait_readable(7);
            woken.push_back(kit::now());
        }
    });
    CHECK(stand.sched.run().empty());
    REQUIRE(woken.size() == 2);
    CHECK(woken[0] < 6 * kMicrosecond);
    CHECK(woken[1] >= 25 * kMicrosecond);
}

TEST_CASE(FIBERSCOPE_STEP " a cancelled task does not run twice, even if others are woken with it") {
    INFO("remove the task from its trees first, then make it ready or resume it");
    Stand stand;
    int runs = 0;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    Handle second;
    go("first", [&] {
        wait_readable(7);
        cancel(second);
    });
    second = go("second", [&] {
        wait_readable(7);
        ++runs;
    });
    CHECK(stand.sched.run().empty());
    CHECK(runs == 1);
}

TEST_CASE(FIBERSCOPE_STEP " one event wakes every task that waits for it") {
    INFO("ask for the next waiter of the event until there is none");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 20 * kMicrosecond);
    int woken = 0, told = 0;
    for (const char* name : {"first", "second", "third"})
        go(name, [&] {
            const bool as_event = wait_readable(7, 500 * kMicrosecond) == Wake::event;
            if (kit::now() >= 500 * kMicrosecond) return;
            ++woken;
            told += as_event ? 1 : 0;
        });
    CHECK(stand.sched.run().empty());
    INFO("an event is reported once: a task that it does not wake waits for the next one");
    CHECK(woken == 3);
    INFO("remove stores why the task was woken: by an event, not by a time-out");
    CHECK(told == 3);
}
