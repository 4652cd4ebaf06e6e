// Step 4.16 in virtual time: what each function does, and which machine has which P.

#include "labs/04_scheduler/beyond/blocked/tests/go_processors.h"
#include "labs/kit/testing/usual_turns.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

constexpr std::uint64_t kPeriod = GoProcessors::kMonitorPeriod;

/// Counts lock operations.
struct CountsLocks : kit::testing::UsualTurns {
    void took(const void*, unsigned) override { ++count; }
    int count = 0;
};

}  // namespace

TEST_CASE("4.16 if several claim a P that is in a call, exactly one gets it") {
    GoProcessor p(0, "P 0");
    INFO("a P that is not in a call cannot be claimed");
    CHECK_FALSE(GoProcessors::claim(p, 0));
    p.caller.store(1);
    INFO("machine 1 is in a call with it: it is no longer machine 0's, even if it was before");
    CHECK_FALSE(GoProcessors::claim(p, 0));
    CHECK(p.caller.load() == 1);
    INFO("the first claim gets it, by an atomic exchange of the caller for kNoCaller; a second one does not");
    CHECK(GoProcessors::claim(p, 1));
    CHECK(p.caller.load() == GoProcessor::kNoCaller);
    CHECK_FALSE(GoProcessors::claim(p, 1));
}

TEST_CASE("4.16 a machine records that it is in a call, and since when; afterwards the P is its own again") {
    WithPs with(1, 1);
    GoProcessor& p = with.ps.processor_of(0);
    unsigned caller = 99, caller_after = 99;
    std::uint64_t since = 0, entered = 0;
    bool back = false;
    with.run([&](Machine& machine) {
        if (machine.index != 0) return;
        kit::work(7 * kMicrosecond);
        entered = kit::now();
        with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
        caller = p.caller.load();
        since = p.since.load();
        kit::work(kMicrosecond);
        back = with.ps.leave_blocking(with.shared, machine);
        caller_after = p.caller.load();
    });
    INFO("after enter_blocking another machine may take the P: caller is the machine, since the time");
    CHECK(caller == 0);
    CHECK(since == entered);
    INFO("no machine took it, so leave_blocking claims it for its own machine and returns true");
    CHECK(back);
    CHECK(caller_after == GoProcessor::kNoCaller);
}

TEST_CASE("4.16 a call that keeps its P takes no lock while the monitor is awake") {
    WithPs with(1, 0);
    CountsLocks locks;
    int taken = 99;
    bool may_be_taken = false, back = false;
    with.run([&](Machine& machine) {
        if (machine.index != 0) return;
        locks.count = 0;
        with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
        may_be_taken = with.ps.processor_of(0).caller.load() == 0;
        back = with.ps.leave_blocking(with.shared, machine);
        taken = locks.count;
    });
    INFO("another machine could have taken the P, but did not");
    CHECK(may_be_taken);
    CHECK(back);
    INFO("entering is two stores, leaving one CAS; every call would pay for a lock, and most are short");
    CHECK(taken == 0);
}

TEST_CASE("4.16 give_away: the P and its queue go to the waiting machine, which is unparked") {
    WithPs with(1, 2);
    GoProcessor& p = with.ps.processor_of(0);
    bool too_early = true, given = false, taken_twice = true;
    std::size_t waiting_before = 99, waiting = 99;
    GoProcessor* has[3] = {};
    const auto body = [&](Machine& machine) {
        if (machine.index == 1 || machine.index == 3) return;
        if (machine.index == 2) return static_cast<void>(kit::Machines::of_this_thread()->park());
        with.waits_for_a_p(2);
        with.waits_for_a_p(1);
        too_early = with.give_away(0);
        waiting_before = with.waiting();
        p.caller.store(0);
        given = with.give_away(0);
        for (unsigned i = 0; i < 3; ++i) has[i] = &with.ps.processor_of(i);
        waiting = with.waiting();
        taken_twice = with.give_away(0);
    };
    bool slept_on = false;
    try {
        with.run(body);
    } catch (const Stuck&) {
        slept_on = true;
    }
    INFO("the machine is not in a call, so its P cannot be claimed: nothing happens, and both keep waiting");
    CHECK_FALSE(too_early);
    CHECK(waiting_before == 2);
    INFO("machine 2 has waited longest: move the P from machine 0 to it, and remove it from the waiting machines");
    CHECK(given);
    CHECK(has[2] == &p);
    CHECK(has[0] != &p);
    CHECK(waiting == 1);
    INFO("machine 0 no longer has a P to give away");
    CHECK_FALSE(taken_twice);
    INFO("machine 2 has a P and must be unparked, or it sleeps although it has a queue");
    CHECK_FALSE(slept_on);
}

TEST_CASE("4.16 retake: a P is taken after 20 µs in a call, not before") {
    WithPs with(2, 1);
    bool at_once = false, early = false, in_time = true, quiet = true;
    bool kept = false, taken = false, other_kept = false;
    const auto body = [&](Machine& machine) {
        if (machine.index == 2) return static_cast<void>(kit::Machines::of_this_thread()->park());
        if (machine.index != 0) return;
        with.waits_for_a_p(2);
        quiet = with.retake();
        with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
        at_once = with.retake();
        kit::work(kPeriod - 1);
        early = with.retake();
        kept = with.ps.has_processor(0);
        kit::work(1);
        in_time = with.retake();
        taken = !with.ps.has_processor(0) && with.ps.has_processor(2);
        other_kept = with.ps.has_processor(1);
        with.call(2);
    };
    CHECK_NOTHROW(with.run(body));
    INFO("no machine is in a call: the monitor may sleep");
    CHECK_FALSE(quiet);
    INFO("a machine has been in a call for less than 20 µs: its P stays, and the monitor must look again");
    CHECK(at_once);
    CHECK(early);
    CHECK(kept);
    INFO("after 20 µs its P goes to the machine that waits; the monitor may sleep");
    CHECK(taken);
    CHECK_FALSE(in_time);
    INFO("a machine that is not in a call keeps its P");
    CHECK(other_kept);
}

TEST_CASE("4.16 retake: a call that begins later than the monitor's clock counts as short") {
    WithPs with(1, 1);
    bool again = false, kept = false, taken = false;
    const auto body = [&](Machine& machine) {
        if (machine.index == 1) return static_cast<void>(kit::Machines::of_this_thread()->park());
        if (machine.index != 0) return;
        with.waits_for_a_p(1);
        with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
        with.ps.processor_of(0).since.store(kit::now() + 1);
        again = with.retake();
        kept = with.ps.has_processor(0);
        kit::work(1 + kPeriod);
        with.retake();
        taken = with.ps.has_processor(1);
        with.call(1);
    };
    CHECK_NOTHROW(with.run(body));
    INFO(
        "retake: `since` is of another machine, whose clock may be ahead: now - since would be negative, see "
        "kit::minus");
    CHECK(kept);
    CHECK(again);
    INFO("the call is long once it has lasted 20 µs");
    CHECK(taken);
}

TEST_CASE("4.16 retake: a P stays with its machine as long as no other waits for one") {
    WithPs with(1, 1);
    bool again = false, still = false, back = false;
    with.run([&](Machine& machine) {
        if (machine.index != 0) return;
        with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
        kit::work(2 * kPeriod);
        again = with.retake();
        still = with.ps.processor_of(0).caller.load() == 0;
        back = with.ps.leave_blocking(with.shared, machine);
    });
    INFO("no machine could use it: nothing is claimed, and the monitor looks again");
    CHECK(again);
    CHECK(still);
    CHECK(back);
}

TEST_CASE("4.16 retake checks all machines, not only the first one in a call") {
    WithPs with(2, 2);
    bool first_kept = false, second_taken = false, second_in_call = false;
    const auto body = [&](Machine& machine) {
        if (machine.index == 2) return static_cast<void>(kit::Machines::of_this_thread()->park());
        if (machine.index == 1) {
            with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
            second_in_call = true;
        }
        if (machine.index != 0) return;
        with.waits_for_a_p(2);
        while (!second_in_call) kit::work(kMicrosecond);
        kit::work(kPeriod);
        with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
        with.retake();
        first_kept = with.ps.has_processor(0);
        second_taken = !with.ps.has_processor(1);
        with.call(2);
    };
    CHECK_NOTHROW(with.run(body));
    INFO("machine 0 has just entered its call, and machine 1 has been in one for 20 µs");
    CHECK(first_kept);
    CHECK(second_taken);
}

TEST_CASE("4.16 retake gives away every P that is in a long call, whichever machine has it") {
    WithPs with(2, 3);
    bool taken[2] = {}, given[2] = {}, again = true;
    const auto body = [&](Machine& machine) {
        if (machine.index >= 3) return static_cast<void>(kit::Machines::of_this_thread()->park());
        if (machine.index != 0) return;
        {
            const SchedulerLock held(with.shared);
            with.ps.move(with.shared, 0, 2);
        }
        for (const unsigned caller : {1U, 2U}) with.ps.processor_of(caller).caller.store(caller);
        for (const unsigned waits : {3U, 4U}) with.waits_for_a_p(waits);
        kit::work(kPeriod);
        again = with.retake();
        for (const unsigned i : {0U, 1U}) {
            taken[i] = !with.ps.has_processor(i + 1);
            given[i] = with.ps.has_processor(i + 3);
        }
        for (const unsigned any : {3U, 4U, 5U}) with.call(any);
    };
    CHECK_NOTHROW(with.run(body));
    INFO("two machines are in long calls, and two wait: one look at all machines() gives both Ps away");
    for (const unsigned i : {0U, 1U}) {
        CHECK(taken[i]);
        CHECK(given[i]);
    }
    CHECK_FALSE(again);
}

TEST_CASE("4.16 a short call keeps its P, and a long one gives it away after 20 to 40 µs") {
    const trace::Trace recorded = trace_of_ps("short_and_long", 1, 1, [] {
        go([] {
            for (const std::uint64_t us : {1U, 19U, 100U}) blocking([us] { block_thread_for(us * kMicrosecond); });
        });
    });
    const auto calls = machine_events(recorded, trace::MachineOp::call);
    const auto given = machine_events(recorded, trace::MachineOp::give);
    REQUIRE(calls.size() == 3);
    INFO("the call of 100 µs loses its P");
    REQUIRE_FALSE(given.empty());
    INFO("the calls of 1 and 19 µs keep theirs, and the monitor looks every 20 µs");
    CHECK(given[0].t >= calls[2].t + kPeriod);
    CHECK(given[0].t <= calls[2].t + 2 * kPeriod);
}

TEST_CASE("4.16 a machine that returns without its P gets the P of a parked machine, which then waits for one") {
    const trace::Trace recorded = trace_of_ps("back", 1, 1, [] {
        go([] {
            for (int i = 0; i < 2; ++i) blocking([] { block_thread_for(100 * kMicrosecond); });
        });
    });
    INFO(
        "machine 1 gets the P and finds nothing to run, so it parks with it; machine 0 returns and takes it. "
        "Machine 1 has none now: it must be among the waiting machines, or the second call finds none to give the "
        "P to");
    CHECK(gives(recorded) == Log{"0 to 1", "1 to 0", "0 to 1", "1 to 0"});
    const Log two_wait = gives(trace_of_ps("behind", 1, 2, [] {
        go([] {
            for (int i = 0; i < 2; ++i) blocking([] { block_thread_for(100 * kMicrosecond); });
        });
    }));
    INFO(
        "it waits from then on, so it is last in the queue: the second call's P goes to the machine that has "
        "waited longer");
    REQUIRE(two_wait.size() == 4);
    CHECK(two_wait[2] != two_wait[0]);
}

TEST_CASE("4.16 a machine that returns and gets no P puts its G into the global queue, and waits") {
    Log log;
    unsigned before = 99, after = 99;
    Scheduler sched(with_ps(1, 1));
    go([&] {
        go_worker("worker", log, 20);
        before = machine_here()->index;
        blocking([] { block_thread_for(100 * kMicrosecond); });
        after = machine_here()->index;
        log.push_back("the caller is back");
    });
    CHECK(sched.run().empty());
    INFO(
        "there is one P, and machine 1 runs the worker with it: the caller continues there, not on machine 0 at "
        "the same time");
    CHECK(before == 0);
    CHECK(after == 1);
    CHECK(log == Log{"the caller is back", "worker is done"});
    INFO("the P is machine 1's in the next run as well");
    go([&] { after = machine_here()->index + 10; });
    CHECK(sched.run().empty());
    CHECK(after >= 10);
}

TEST_CASE("4.16 a call that is known to be long gives its P away at once, if a machine waits for one") {
    for (const bool after_another : {false, true}) {  // while the monitor is still awake
        const trace::Trace recorded = trace_of_ps("surely_long", 1, 1, [after_another] {
            go([after_another] {
                if (after_another) blocking([] { block_thread_for(kMicrosecond); });
                blocking([] { block_thread_for(100 * kMicrosecond); }, CallLength::surely_long);
            });
            go([] { kit::work(kMicrosecond); });
        });
        const auto calls = machine_events(recorded, trace::MachineOp::call);
        const auto given = machine_events(recorded, trace::MachineOp::give);
        REQUIRE(calls.size() == (after_another ? 2 : 1));
        INFO("enter_blocking itself calls give_away, under the lock: it does not wait for the monitor, awake or not");
        REQUIRE_FALSE(given.empty());
        CHECK(given[0].t < calls.back().t + kMicrosecond);
        CHECK(given[0].m == calls.back().m);
        if (after_another) continue;
        std::size_t looks = 0;
        for (const trace::Event& e : machine_events(recorded, trace::MachineOp::unpark)) looks += e.m == 2 ? 1 : 0;
        INFO("the P is no longer in a call: the monitor, machine 2, is not woken, and sleeps until the end");
        CHECK(looks == 1);
    }
    INFO("if no machine waits for a P, the monitor watches this call like any other");
    WithPs with(1, 1);
    bool called = false;
    with.run([&](Machine& machine) {
        if (machine.index != 0) return;
        with.ps.enter_blocking(with.shared, machine, CallLength::surely_long);
        called = with.ps.processor_of(0).caller.load() == 0;
    });
    CHECK(called);
}
