// Step 4.6: sylar's scheduler on several machines: contexts, which machine runs what, start and stop, tasks that move.
#include <algorithm>
#include <stdexcept>

#include "labs/04_scheduler/sylar.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// sylar's scheduler on several machines, on simulated events.
struct Machines {
    explicit Machines(unsigned machines, bool with_known_bug = false, bool use_caller = true)
        : sched(Settings{.strategy = "sylar",
                         .source = &io,
                         .machines = machines,
                         .with_known_bug = with_known_bug,
                         .use_caller = use_caller}) {}
    SimulatedSource io;
    Scheduler sched;
};

/// Where and when a task started.
struct Begin {
    unsigned machine = 99;
    std::uint64_t at = 0;
};
Body begins(Begin& begin, std::uint64_t then_works = 0) {
    return [&begin, then_works] {
        begin = {running_task().machine, kit::now()};
        kit::work(then_works);
    };
}

std::size_t coroutines_of(const trace::Trace& recorded, trace::CoKind kind) {
    return count(recorded, trace::Kind::spawn, kind);
}
std::size_t times(const trace::Trace& recorded, trace::MachineOp op) {
    return count(recorded, trace::Kind::machine, op);
}

}  // namespace

// ---- the contexts ---------------------------------------------------------------------------------------------------

TEST_CASE("4.6 main resumes the scheduler coroutine, which resumes the tasks, and control returns the same way") {
    INFO("main, the scheduler coroutine, a task or the idle coroutine: each is resumed by the previous one");
    const trace::Trace recorded = trace_of("three_contexts", [] {
        Machines m(1);
        for (const char* name : {"a", "b"}) go([] { yield(); }, name);
        static_cast<void>(m.sched.run());
    });
    Log ways;
    for (const trace::Event& e : all_of(recorded, trace::Kind::switch_))
        ways.push_back(recorded.name(e.co) + ">" + recorded.name(e.other) + " " +
                       std::string(word(e.first<trace::Why>())));
    CHECK(coroutines_of(recorded, trace::CoKind::scheduler) == 1);
    CHECK(coroutines_of(recorded, trace::CoKind::idle) == 1);
    CHECK(ways == Log{"main>scheduler start", "scheduler>a start", "a>scheduler yield", "scheduler>b start",
                      "b>scheduler yield", "scheduler>a resume", "a>scheduler exit", "scheduler>b resume",
                      "b>scheduler exit", "scheduler>idle 0 start", "idle 0>scheduler exit", "scheduler>main exit"});
}

TEST_CASE("4.6 the idle coroutine waits while there is nothing to do, and has ended when run returns") {
    INFO("each machine has an idle coroutine, which runs when the list has no task for it");
    const trace::Trace recorded = trace_of("idle", [] {
        Machines m(3);
        go([] { sleep_for(50 * kMicrosecond); }, "sleeper");
        static_cast<void>(m.sched.run());
    });
    CHECK(coroutines_of(recorded, trace::CoKind::idle) == 3);
    CHECK(times(recorded, trace::MachineOp::stop) == 3);
    std::size_t ended = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::switch_ && recorded.name(recorded[i].co).starts_with("idle"))
            ended += recorded[i].first<trace::Why>() == trace::Why::exit ? 1U : 0U;
    INFO("each machine's idle coroutine must end: that is how its scheduler coroutine knows");
    CHECK(ended == 3);
    INFO("one machine waits for the deadline for all; the two others park");
    CHECK(times(recorded, trace::MachineOp::park) >= 2);
    CHECK(count(recorded, trace::Kind::switch_) < 30);
}

TEST_CASE("4.6 with the known bug the idle coroutine spins: the same work, many more switches, no machine parks") {
    INFO("with the known bug the idle coroutine neither parks nor polls: it yields at once, again and again");
    const auto run = [](bool with_known_bug) {
        return trace_of("spin", [=] {
            Machines m(2, with_known_bug);
            go([] { sleep_for(50 * kMicrosecond); }, "sleeper");
            static_cast<void>(m.sched.run());
        });
    };
    const trace::Trace parks = run(false), spins = run(true);
    CHECK(times(spins, trace::MachineOp::park) == 0);
    CHECK(count(spins, trace::Kind::poll) == 0);
    CHECK(count(spins, trace::Kind::switch_) > 10 * count(parks, trace::Kind::switch_));
    INFO("an expired task must still run");
    CHECK(spins[spins.size() - 1].t < 2 * parks[parks.size() - 1].t);
}

// ---- what runs where ------------------------------------------------------------------------------------------------

TEST_CASE("4.6 a task that is pinned runs on its machine, and only there") {
    INFO("take from the list only tasks that are pinned to no machine or to this one");
    Machines m(3);
    std::vector<std::vector<unsigned>> seen(6);
    for (unsigned i = 0; i < seen.size(); ++i)
        go_on(i % 3, [&places = seen[i]] {
            for (int n = 0; n < 5; ++n) {
                places.push_back(running_task().machine);
                kit::work(3 * kMicrosecond);
                n % 2 == 0 ? yield() : static_cast<void>(sleep_for(kMicrosecond));
            }
        });
    CHECK(m.sched.run().empty());
    for (unsigned i = 0; i < seen.size(); ++i) CHECK(seen[i] == std::vector<unsigned>(5, i % 3));
}

TEST_CASE("4.6 other machines skip a pinned task at the front of the list") {
    INFO("search the whole list, not only its first entry");
    Machines m(2);
    Begin pinned, other;
    go_on(1, [] { kit::work(50 * kMicrosecond); });
    go_on(1, begins(pinned));
    go(begins(other), "other");
    CHECK(m.sched.run().empty());
    INFO("machine 1 is busy; machine 0 must search past the task that only machine 1 may run");
    CHECK(other.machine == 0);
    CHECK(other.at < 5 * kMicrosecond);
    CHECK(pinned.machine == 1);
    CHECK(pinned.at >= 50 * kMicrosecond);
}

TEST_CASE("4.6 a pinned task that becomes ready wakes its own machine") {
    for (unsigned machine = 0; machine < 4; ++machine) {
        kit::choose_clock(kit::clock_kind());
        Machines m(4);
        Begin woken;
        const Handle pinned = go_on(machine, [&] {
            park("a sign");
            begins(woken)();
        });
        go_on(0, [&] {
            kit::work(20 * kMicrosecond);
            wake(pinned);
            kit::work(80 * kMicrosecond);
        });
        INFO(kit::told(message("machine {0}", machine)));
        CHECK(m.sched.run().empty());
        CHECK(woken.machine == machine);
        if (machine != 0) CHECK(woken.at < 25 * kMicrosecond);
    }
}

TEST_CASE("4.6 an expired pinned task wakes its own machine, whichever machine finds it") {
    INFO("a loop that makes a pinned task ready wakes the task's machine: no other machine will");
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        use_virtual_time();
        std::uint64_t late = 0;
        int slept = 0;
        SimulatedSource io;
        Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 3, .seed = seed});
        for (unsigned machine = 0; machine < 3; ++machine)
            go_on(machine, [&, machine] {
                const std::uint64_t time = (10 + machine) * kMicrosecond, until = kit::now() + time;
                sleep_for(time);
                late = std::max(late, kit::now() - until);
                ++slept;
                sleep_for(100 * kMicrosecond);
            });
        CHECK(sched.run().empty());
        CHECK(slept == 3);
        CHECK(late < 5 * kMicrosecond);
    }
}

TEST_CASE("4.6 when several become ready at once, several machines run them") {
    INFO("all expired sleepers go into the list at once");
    Machines m(4);
    Begin begins_at[4];
    for (Begin& begin : begins_at) later(30 * kMicrosecond, "sleeper", begins(begin, 100 * kMicrosecond));
    CHECK(m.sched.run().empty());
    INFO("one machine finds all four; a machine that takes one and leaves others must wake another machine");
    for (const Begin& begin : begins_at) {
        CHECK(begin.at >= 30 * kMicrosecond);
        CHECK(begin.at < 40 * kMicrosecond);
    }
}

TEST_CASE("4.6 no wake-up is lost between a machine's last look and its waiting") {
    INFO("a task that is put into the list wakes a machine that waits, or is about to");
    for (std::uint64_t at = 1'500; at < 3'000; at += 25) {
        kit::choose_clock(kit::clock_kind());
        Machines m(2);
        Begin child;
        std::uint64_t spawned = 0;
        go_on(1, [] { kit::work(2 * kMicrosecond); });
        go_on(0, [&] {
            kit::work(at);
            spawned = kit::now();
            go(begins(child), "child");
            kit::work(100 * kMicrosecond);
        });
        CHECK(m.sched.run().empty());
        INFO(kit::told(
            message("spawned at {0} ns, just when machine 1 finds the list empty: it must look again before it waits",
                    spawned)));
        CHECK(spawned > 0);
        CHECK(child.at >= spawned);
        CHECK(child.at < spawned + 5 * kMicrosecond);
    }
}

// ---- start, stop, the caller ----------------------------------------------------------------------------------------

TEST_CASE("4.6 stop runs all tasks to their end, including tasks that they spawn") {
    INFO("stop only says that no work comes from outside: machines end when no task is alive");
    Machines m(2);
    int ended = 0;
    std::uint64_t stopped_at = 0, last = 0;
    const std::vector<Failure> failures = start_and_stop(m.sched, [&] {
        for (int i = 0; i < 5; ++i)
            schedule([&] {
                sleep_for(40 * kMicrosecond);
                schedule([&] {
                    kit::work(kMicrosecond);
                    ++ended;
                    last = kit::now();
                });
            });
        kit::work(10 * kMicrosecond);
        stopped_at = kit::now();
    });
    CHECK(failures.empty());
    CHECK(ended == 5);
    CHECK(m.sched.alive() == 0);
    CHECK(stopped_at < 20 * kMicrosecond);
    CHECK(last > 40 * kMicrosecond);
}

TEST_CASE("4.6 without use_caller the calling thread runs no task and only waits") {
    INFO("machine 0 is the caller's: without use_caller it takes nothing from the list, and no task is pinned to it");
    Machines m(2, false, false);
    Begin begins_at[6];
    const std::vector<Failure> failures = start_and_stop(m.sched, [&] {
        for (Begin& begin : begins_at) schedule(begins(begin, 5 * kMicrosecond));
        kit::work(100 * kMicrosecond);
    });
    CHECK(failures.empty());
    for (const Begin& begin : begins_at) CHECK((begin.machine == 1 || begin.machine == 2));
    CHECK_THROWS_AS(go_on(0, [] {}), std::invalid_argument);
    CHECK_THROWS_AS(go_on(3, [] {}), std::invalid_argument);
    Begin again;
    go_on(2, begins(again));
    CHECK(m.sched.run().empty());
    CHECK(again.machine == 2);
}

TEST_CASE("4.6 a parked coroutine is scheduled like a function, and continues on the given machine") {
    INFO("schedule of a parked coroutine wakes it with its new machine; in any other state it is refused");
    Machines m(3);
    Begin before, after;
    bool accepted = false, twice = true, of_itself = true;
    const Handle coroutine = schedule(
        [&] {
            begins(before)();
            park("being scheduled");
            begins(after)();
        },
        1);
    go_on(0, [&] {
        of_itself = schedule(Handle(running_task()));
        kit::work(10 * kMicrosecond);
        accepted = schedule(coroutine, 2);
        twice = schedule(coroutine, 1);
    });
    CHECK(m.sched.run().empty());
    CHECK(before.machine == 1);
    CHECK(accepted);
    CHECK(after.machine == 2);
    INFO("a task that runs, or is already in the list, must not enter it again");
    CHECK_FALSE(of_itself);
    CHECK_FALSE(twice);
    CHECK_FALSE(schedule(coroutine));
}

TEST_CASE("4.6 an exception between start and stop reaches the caller, and all machines are stopped") {
    INFO("an exception between start and stop still stops the machines and joins their threads");
    for (const bool with_known_bug : {false, true}) {
        Machines m(3, with_known_bug);
        CHECK_THROWS_AS(start_and_stop(m.sched, [] { throw std::runtime_error("no flour"); }), std::runtime_error);
        bool ran = false;
        go([&] { ran = true; });
        CHECK(m.sched.run().empty());
        CHECK(ran);
    }
}

// ---- tasks that move between threads --------------------------------------------------------------------------------
