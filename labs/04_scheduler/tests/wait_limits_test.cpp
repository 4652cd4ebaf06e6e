// Steps 4.2 and 4.3: limits near both ends of time, and effects of one wait on the next.
#include <map>
#include <system_error>

#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.3 a wait without a limit has no deadline, whatever the task has slept before") {
    INFO(
        "wait_for sets the deadline each time: kNever if there is no limit; otherwise the deadline of an earlier "
        "sleep still counts");
    SimulatedSource io;
    io.becomes_ready(7, Want::read, 20 * kMicrosecond);
    Scheduler sched(Settings{.source = &io});
    Wake told = Wake::cancelled;
    const Handle reader = later(5 * kMicrosecond, "waits", [&] { told = wait_readable(7); });
    std::uint64_t deadline = 0;
    later(10 * kMicrosecond, "sleeper", [&] { deadline = reader.task().deadline; });
    run_waiters(sched);
    CHECK(deadline == kNever);
    CHECK(told == Wake::event);
}

TEST_CASE("4.3 a wait with a limit near the end of time has none, and ends by its event") {
    SimulatedSource io;
    Scheduler sched(Settings{.source = &io});
    io.becomes_ready(7, Want::read, 900 * kMicrosecond);
    Wake woken = Wake::timeout;
    later(10 * kMicrosecond, "waits", [&] { woken = wait_readable(7, kNever - 1'000); });
    run_waiters(sched);
    INFO("now plus the limit overflows: the sum must not wrap around to 0");
    CHECK(woken == Wake::event);
    CHECK(kit::now() >= 900 * kMicrosecond);
}

TEST_CASE("4.3 a wait with a limit of 0 ends at the next look") {
    INFO("a limit of 0 means: do not wait; it does not mean: no limit");
    SimulatedSource io;
    Scheduler sched(Settings{.source = &io});
    io.becomes_ready(7, Want::read, 900 * kMicrosecond);
    Wake woken = Wake::event;
    bool other_ran = false, before_it = false;
    std::uint64_t at = 0;
    go("impatient", [&] {
        kit::work(5 * kMicrosecond);
        woken = wait_readable(7, 0);
        at = kit::now();
        before_it = other_ran;
    });
    go([&] { other_ran = true; }, "beside it");
    run_waiters(sched);
    CHECK(woken == Wake::timeout);
    CHECK(at < 6 * kMicrosecond);
    INFO("it still waits until the next look: the tasks that are ready run first");
    CHECK(before_it);
}

TEST_CASE("4.2 a limit that has passed before the task is queued still ends the wait") {
    INFO("a task parked with a limit goes into the sleep tree, whatever its deadline: the next look finds it");
    for (const std::uint64_t limit : {0U, 1U}) {
        Scheduler sched;
        Wake woken = Wake::event;
        const Handle parked = go([&] { woken = park_for("nothing", limit); });
        run_ready(sched);
        const bool in_the_tree = sched.sleeping().contains(parked.task());
        if (in_the_tree) run_sleepers(sched);
        CHECK(in_the_tree);
        CHECK(woken == Wake::timeout);
    }
}

TEST_CASE("4.3 a wait with a limit of 0 is in the wait tree until the next look, which may find its event") {
    INFO("a limit of 0 ends the wait at the next look, not before: an event that has occurred by then is reported");
    SimulatedSource io;
    Scheduler sched(Settings{.source = &io});
    Wake woken = Wake::timeout;
    const Handle impatient = go([&] { woken = wait_readable(7, 0); });
    run_ready(sched);
    REQUIRE(sched.waiting().contains(impatient.task()));
    sched.remove(impatient.task(), Wake::event);
    sched.make_ready(impatient.task(), Cause::event);
    run_ready(sched);
    CHECK(woken == Wake::event);
}

TEST_CASE("4.3 the smaller descriptor precedes the larger, whatever the orders") {
    INFO("the order of two tasks is compared only if they wait for the same descriptor");
    Scheduler sched;
    const Handle small = go([] {}), large = go([] {});
    small.task().fd = 3;
    small.task().order = 2;
    large.task().fd = 4;
    large.task().order = 1;
    CHECK(waits_before(small.task(), large.task()));
    CHECK_FALSE(waits_before(large.task(), small.task()));
    CHECK_FALSE(waits_before(small.task(), small.task()));
    small.task().fd = large.task().fd = kNoDescriptor;
    run_ready(sched);
}

TEST_CASE("4.3 an event finds its task after several that wait for the other direction") {
    INFO("skip each task that waits for another direction, and continue with the next task of the descriptor");
    for (const WaitBy by : {WaitBy::tree, WaitBy::table}) {
        use_virtual_time();
        SimulatedSource io;
        Scheduler sched(Settings{.source = &io, .wait_by = by});
        std::vector<Wake> read;
        bool early = false;
        for (int i = 0; i < 3; ++i) {
            go([] { wait_writable(7, 1000 * kMicrosecond); });
            go([] { wait_writable(7, 1000 * kMicrosecond); });
            go([&] {
                read.push_back(wait_readable(7, 1000 * kMicrosecond));
                early = early || kit::now() < 100 * kMicrosecond;
            });
        }
        io.becomes_ready(7, Want::read, 100 * kMicrosecond);
        run_waiters(sched);
        CHECK(read == std::vector<Wake>(3, Wake::event));
        CHECK_FALSE(early);
    }
}

TEST_CASE("4.3 a task that stops waiting for a descriptor does not affect another task that waits for it") {
    INFO("given: the simulated source watches a descriptor as long as one task waits for it");
    SimulatedSource io;
    Scheduler sched(Settings{.source = &io});
    Wake first = Wake::timeout, second = Wake::timeout;
    const Handle gives_up = go([&] { first = wait_readable(7); });
    go([&] { second = wait_readable(7, 1000 * kMicrosecond); });
    go([&] {
        cancel(gives_up);
        io.becomes_ready(7, Want::read, kit::now() + kMicrosecond);
    });
    run_waiters(sched);
    CHECK(first == Wake::cancelled);
    CHECK(second == Wake::event);
    io.becomes_ready(7, Want::read, kit::now() + kMicrosecond);
    INFO("watch and unwatch come in pairs: one of each for every task that waits, not only for the first and the last");
    CHECK_FALSE(io.expects_any());
}

TEST_CASE("4.3 a refused wake changes nothing: the task keeps the reason of the first wake") {
    INFO("wake checks the state before it changes anything: a task that is already ready has its reason");
    Scheduler sched;
    Wake told = Wake::timeout;
    bool cancelled = true;
    const Handle waits = go([&] { told = park("a signal"); });
    go([&] {
        wake(waits);
        cancelled = cancel(waits);
    });
    run_ready(sched);
    CHECK_FALSE(cancelled);
    CHECK(told == Wake::event);
}

TEST_CASE("4.3 a scheduler that ends while a task waits leaves no watch in its source") {
    INFO("the source may serve another scheduler next: a stale watch would end each of its waits at once");
    SimulatedSource io;
    bool while_it_waits = false;
    {
        Scheduler sched(Settings{.source = &io});
        io.becomes_ready(7, Want::read, 900 * kMicrosecond);
        go([] { wait_readable(7); });
        run_ready(sched);
        while_it_waits = io.expects_any();
    }
    CHECK(while_it_waits);
    CHECK_FALSE(io.expects_any());
}

namespace {
struct WatchesNothing : SimulatedSource {
    void watch(int, Want) override { throw std::system_error(std::make_error_code(std::errc::not_supported)); }
};
}  // namespace

TEST_CASE("4.3 an unlimited wait that the source refuses takes nothing out of the sleep tree") {
    INFO("undo only the insertions that were made: without a deadline the task is not in the sleep tree");
    WatchesNothing source;
    Scheduler sched(Settings{.source = &source});
    const Handle sleeper = go([] { sleep_for(kMicrosecond); });
    const Handle refused = go([] { wait_readable(7); });
    CHECK_THROWS_AS(run_ready(sched), std::system_error);
    CHECK(sched.sleeping().size() == 1);
    CHECK(sched.sleeping().first() == &sleeper.task());
    CHECK_FALSE(sched.waiting().contains(refused.task()));
}

TEST_CASE("4.3 a wait with a limit that the source refuses leaves the task in neither tree") {
    INFO("with a limit it is in both trees when watch throws: remove it from the sleep tree too");
    WatchesNothing source;
    Scheduler sched(Settings{.source = &source});
    const Handle refused = go([] { wait_readable(7, kMicrosecond); });
    CHECK_THROWS_AS(run_ready(sched), std::system_error);
    CHECK_FALSE(sched.sleeping().contains(refused.task()));
    CHECK_FALSE(sched.waiting().contains(refused.task()));
}

TEST_CASE("4.3 a wake affects only sleeping and waiting tasks, not a suspended one") {
    INFO("wake checks for the two states in which a task can be woken; a suspended task waits for make_ready");
    Scheduler sched;
    bool went_on = false;
    const Handle suspended = go([&] {
        running_task().backend->yield(State::suspended, trace::kAbsent, nullptr);
        went_on = true;
    });
    const Handle parked = go([] { park("a sign"); });
    run_ready(sched);
    CHECK_FALSE(wake(suspended));
    CHECK_FALSE(cancel(suspended));
    CHECK(wake(parked));
    run_ready(sched);
    CHECK_FALSE(went_on);
    CHECK(sched.make_ready(suspended.task(), Cause::signal));
    run_ready(sched);
    CHECK(went_on);
}

namespace {

/// The tasks that were woken, with the cause; "in a tree" for those that were in one when they became ready.
Log wakes_of(const trace::Trace& recorded) {
    std::map<std::uint32_t, int> trees;
    Log wakes;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const trace::Event& e = recorded[i];
        const bool in_tree = (e.kind == trace::Kind::insert || e.kind == trace::Kind::remove) &&
                             (recorded.set_name(e.set) == "sleeping" || recorded.set_name(e.set) == "waiting");
        if (in_tree) trees[e.co] += e.kind == trace::Kind::insert ? 1 : -1;
        if (e.kind != trace::Kind::state || e.first<State>() == State::new_) continue;
        wakes.push_back(recorded.name(e.co) + " " + std::string(word(e.third<Cause>())));
        if (trees[e.co] != 0) wakes.back() += " in a tree";
    }
    return wakes;
}

/// The same for a strategy: a time-out of a wait, an event, and a sleep.
Log wakes_by(const char* strategy) {
    return wakes_of(trace_of(strategy, [strategy] {
        SimulatedSource io;
        io.becomes_ready(7, Want::read, 20 * kMicrosecond);
        Scheduler sched(Settings{.strategy = strategy, .source = &io});
        go([] { sleep_for(30 * kMicrosecond); }, "sleeper");
        go([] { wait_readable(7, 60 * kMicrosecond); }, "reader");
        go([] { wait_readable(8, 10 * kMicrosecond); }, "impatient");
        static_cast<void>(sched.run());
    }));
}

const Log kThreeWakes = {"impatient deadline", "reader event", "sleeper deadline"};

}  // namespace

TEST_CASE("4.3 a task that is woken has left its trees before it is ready, in the trace too") {
    INFO(
        "take it out of its trees first, and then make it ready: a ready task is in the ready queue and in no "
        "other set");
    const Log wakes = wakes_of(trace_of("out_first", [] {
        Scheduler sched;
        const Handle sleeper = go([] { sleep_for(50 * kMicrosecond); }, "sleeper");
        const Handle reader = go([] { wait_readable(7, 60 * kMicrosecond); }, "reader");
        go("friend", [&] {
            wake(sleeper);
            cancel(reader);
        });
        run_waiters(sched);
    }));
    CHECK(wakes == Log{"sleeper signal", "reader cancel"});
}

TEST_CASE("4.4 a task that the loop wakes has left its trees before it is ready, in the trace too") {
    INFO("first remove, then make_ready: a ready task is in the ready queue and in no other set");
    CHECK(wakes_by("producer_consumer") == kThreeWakes);
}

TEST_CASE("4.9 a task that the loop wakes has left its trees before it is ready, in the trace too") {
    INFO("first remove, then make_ready: a ready task is in the active list and in no other set");
    CHECK(wakes_by("libco") == kThreeWakes);
}

TEST_CASE("4.12 a task that the loop wakes has left its trees before it is ready, and the trace records the cause") {
    INFO("first remove, then make_ready with its cause: a deadline or an event");
    CHECK(wakes_by("hand_off") == kThreeWakes);
}

TEST_CASE("4.3 a task that waits again is queued after tasks that have arrived meanwhile") {
    INFO("give it the next order at each insert: with an old one it would be woken by an event from before its wait");
    SimulatedSource io;
    Scheduler sched(Settings{.source = &io});
    const Handle again = go([] {
        for (;;) wait_readable(7);
    });
    const Handle other = go([] { wait_readable(7); });
    run_ready(sched);
    const std::uint64_t seen = sched.next_order();
    sched.wake(again.task(), Wake::event, Cause::event);
    run_ready(sched);
    CHECK(sched.waiter({7, Want::read, seen}) == &other.task());
}
