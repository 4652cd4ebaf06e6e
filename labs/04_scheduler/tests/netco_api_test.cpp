// Step 4.7: netco's functions; and which processor is woken, when and why.
#include "labs/04_scheduler/netco_api.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

unsigned processor_here() { return kit::thread_state().machine; }

}  // namespace

TEST_CASE("4.7 the functions of netco_api spawn, pause and end tasks, without any object of the library") {
    INFO("co_init creates one scheduler and refuses a second; every function uses it");
    using namespace netco_api;
    Log log;
    co_init(3);
    CHECK_THROWS_AS(co_init(3), std::logic_error);
    co_go(
        [&] {
            co_sleep(10 * kMicrosecond);
            log.push_back("slept on " + std::to_string(processor_here()));
            log.emplace_back(co_wait_readable(5, 3 * kMicrosecond) ? "an event" : "no event");
            log.emplace_back(co_wait_writable(5, 3 * kMicrosecond) ? "an event" : "no event");
        },
        kStackSize, 2);
    co_go([&] {
        co_go([&] { log.emplace_back("second"); }, kStackSize, 0);
        co_pass();
        co_pass();
        log.emplace_back("third");
    });
    co_run();
    CHECK(log == Log{"second", "third", "slept on 2", "no event", "no event"});

    co_go([] { throw std::runtime_error("no more rice"); });
    CHECK_THROWS_AS(co_run(), std::runtime_error);
}

TEST_CASE("4.7 co_wait_readable and co_wait_writable return whether the event arrived before the limit") {
    using namespace netco_api;
    SimulatedSource io;
    io.becomes_ready(5, Want::read, 2 * kMicrosecond);
    io.becomes_ready(6, Want::write, 4 * kMicrosecond);
    Scheduler sched(Settings{.strategy = "netco", .source = &io});
    Log log;
    sched.go([&] {
        log.emplace_back(co_wait_readable(5, 3 * kMicrosecond) ? "readable" : "no event");
        log.emplace_back(co_wait_writable(6, 30 * kMicrosecond) ? "writable" : "no event");
        log.emplace_back(co_wait_writable(5, 3 * kMicrosecond) ? "writable" : "no event");
    });
    INFO("the functions of netco_api wait as the tasks of the library do");
    CHECK(sched.run().empty());
    INFO("5 becomes readable and never writable, 6 becomes writable");
    CHECK(log == Log{"readable", "writable", "no event"});
}

TEST_CASE("4.7 a cancelled wait reports no event") {
    INFO("co_wait_readable and co_wait_writable return true for an event only, not for every end except the limit");
    using namespace netco_api;
    co_init(1);
    Log log;
    Handle waits;
    co_go([&] {
        waits = Handle(running_task());
        log.emplace_back(co_wait_readable(5, 30 * kMicrosecond) ? "readable" : "no event");
        log.emplace_back(co_wait_writable(5, 30 * kMicrosecond) ? "writable" : "no event");
    });
    co_go([&] {
        for (int i = 0; i < 2; ++i) {
            co_sleep(3 * kMicrosecond);
            if (cancel(waits)) log.emplace_back("cancelled");
        }
    });
    co_run();
    CHECK(log == Log{"cancelled", "no event", "cancelled", "no event"});
}

TEST_CASE("4.7 a task of co_go has the requested stack size, even if it is larger than usual") {
    INFO("co_go passes stack_size to the task unchanged");
    using namespace netco_api;
    co_init(1);
    std::vector<std::size_t> sizes;
    for (const std::size_t size : {kStackSize / 4, kStackSize, 8 * kStackSize})
        co_go([&] { sizes.push_back(running_task().core().stack().size); }, size);
    co_run();
    REQUIRE(sizes.size() == 3);
    CHECK(sizes[0] >= kStackSize / 4);
    CHECK(sizes[0] < kStackSize);
    CHECK(sizes[1] >= kStackSize);
    CHECK(sizes[2] >= 8 * kStackSize);
}

TEST_CASE("4.7 a processor releases its dead tasks before it waits") {
    INFO("captures of a dead task must not live as long as its processor is idle: release, then wait");
    Scheduler sched(Settings{.strategy = "netco", .machines = 2});
    auto kept = std::make_shared<int>(1);
    const std::weak_ptr<int> seen = kept;
    bool gone = false;
    sched.go([kept] {}, {}, {.pinned = 0});
    kept.reset();
    sched.go([] { sleep_for(1000 * kMicrosecond); }, {}, {.pinned = 0});
    sched.go(
        [&] {
            sleep_for(500 * kMicrosecond);
            gone = seen.expired();
        },
        {}, {.pinned = 1});
    CHECK(sched.run().empty());
    CHECK(gone);
}

TEST_CASE("4.7 without co_init the first co_go creates two processors") {
    INFO("without co_init the first co_go creates two processors");
    std::vector<unsigned> seen;
    for (int i = 0; i < 4; ++i) netco_api::co_go([&] { seen.push_back(processor_here()); });
    netco_api::co_run();
    std::sort(seen.begin(), seen.end());
    CHECK(seen == std::vector<unsigned>{0, 0, 1, 1});
}

TEST_CASE("4.7 co_run names the first task that ended by an exception") {
    INFO("run returns the failures in order: co_run throws the first with the task's name");
    netco_api::co_init(2);
    netco_api::co_go([] { throw std::runtime_error("boom"); });
    std::string what;
    try {
        netco_api::co_run();
    } catch (const std::runtime_error& error) {
        what = error.what();
    }
    CHECK(what.find("task 'coroutine ") != std::string::npos);
    CHECK(what.find("boom") != std::string::npos);
}

TEST_CASE("4.7 the trace records the cause of each wake: a deadline, an event, a signal") {
    INFO("on_deadline passes the cause `deadline` to wake_to_queue: the trace must say what woke the task");
    const trace::Trace recorded = trace_of("netco_causes", [] {
        SimulatedSource io;
        io.becomes_ready(7, Want::read, 3 * kMicrosecond);
        Scheduler sched(Settings{.strategy = "netco", .source = &io, .machines = 1});
        const Handle parked = go([] { park("a friend"); }, "parked");
        go([] { wait_readable(7); }, "reader");
        go([] { wait_readable(8, 6 * kMicrosecond); }, "waiter");
        later(9 * kMicrosecond, "sleeper", [parked] { wake(parked); });
        static_cast<void>(sched.run());
    });
    Log causes;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::state && recorded[i].third<Cause>() != Cause::spawned)
            causes.push_back(recorded.name(recorded[i].co) + " " + std::string(word(recorded[i].third<Cause>())));
    CHECK(causes == Log{"reader event", "waiter deadline", "sleeper deadline", "parked signal"});
}

TEST_CASE("4.7 a new task is ready before it goes into its processor's buffer, in the trace too") {
    INFO("make_new_ready_shared sets the state with the cause `spawned`, and then pushes");
    const trace::Trace recorded = trace_of("netco_spawned", [] {
        Scheduler sched(Settings{.strategy = "netco", .machines = 2});
        const Handle task = sched.go([] {}, Attributes{.name = "new"}, {.pinned = 1});
        if (task.task().status() != State::ready) std::abort();
        static_cast<void>(sched.run());
    });
    Log steps;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const trace::Event& e = recorded[i];
        if (recorded.name(e.co) != "new") continue;
        if (e.kind == trace::Kind::state) steps.emplace_back(word(e.third<Cause>()));
        if (e.kind == trace::Kind::insert && steps.size() < 2) steps.emplace_back("buffer");
    }
    CHECK(steps == Log{"spawned", "buffer"});
}

TEST_CASE("4.7 the processor on which the last task ends wakes the others") {
    INFO("call wake_all after the loop: the other processors sleep, and cannot see that no task is alive any more");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "netco", .source = &io, .machines = 3});
    bool ran = false;
    go_on(0, [&ran] {
        kit::work(50 * kMicrosecond);  // both are parked
        ran = true;
    });
    CHECK_NOTHROW(static_cast<void>(sched.run()));
    CHECK(ran);
}

TEST_CASE("4.7 a processor without tasks waits for one, and does not end") {
    INFO("the loop continues while a task of any processor is alive (alive_), not only while one of its own is");
    const trace::Trace recorded = trace_of("waits_without_tasks", [] {
        SimulatedSource io;
        Scheduler sched(Settings{.strategy = "netco", .source = &io, .machines = 2});
        go_on(0, [] { kit::work(50 * kMicrosecond); });
        static_cast<void>(sched.run());
    });
    std::uint64_t stopped = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::machine && recorded[i].m == 1 &&
            recorded[i].first<trace::MachineOp>() == trace::MachineOp::stop)
            stopped = recorded[i].t;
    CHECK(stopped >= 50 * kMicrosecond);
}

TEST_CASE("4.7 a task spawned in a round runs in the very next round") {
    INFO("first swap the buffers, then empty the filled one: otherwise a new task waits one round longer");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "netco", .source = &io});
    bool in_the_next = false, ran = false;
    go([&] {
        yield();
        go([&] { ran = true; });
        yield();
        in_the_next = ran;
    });
    CHECK(sched.run().empty());
    CHECK(ran);
    CHECK(in_the_next);
}
