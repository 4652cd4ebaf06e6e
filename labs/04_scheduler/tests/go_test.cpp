// Step 4.8: what every strategy must do, on two machines; which G is in which queue, stealing, and deferred calls.
#define FIBERSCOPE_STEP "4.8"
#define FIBERSCOPE_STRATEGY "go"
#define FIBERSCOPE_MACHINES 2
#include "labs/04_scheduler/tests/strategies/strategies.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/report/notes.h"

// ---- stealing -------------------------------------------------------------------------------------------------------

TEST_CASE("4.8 a thief takes half of a queue, the Gs that have waited longest") {
    INFO("steal takes half from the front, runs the first of these, and puts the rest into its own queue");
    Queues queues(2);
    queues.fill(0, 5);
    Machine thief{&queues.sched, 1};
    Task* first = queues.gs.steal(thief);
    REQUIRE(first != nullptr);
    CHECK(first->core().name() == "g0");
    queues.sched.ready().push(*first);
    CHECK(queues.names_in(1) == Log{"g1"});
    CHECK(queues.names_in(0) == Log{"g2", "g3", "g4"});
}

TEST_CASE("4.8 no machine steals the last G of a queue") {
    INFO("leave a queue of one G alone: half of 1 is 0");
    Queues queues(3);
    queues.fill(0, 1);
    queues.fill(2, 1);
    Machine thief{&queues.sched, 1};
    CHECK(queues.gs.steal(thief) == nullptr);
    queues.fill(2, 1);
    INFO("of two it steals one, and one is left");
    CHECK(queues.gs.steal(thief) != nullptr);
    CHECK(queues.gs.steal(thief) == nullptr);
    CHECK(queues.names_in(0).size() == 1);
    CHECK(queues.names_in(2).size() == 1);
}

TEST_CASE("4.8 a thief locks its own queue as well: another may be stealing from it") {
    INFO("hold the locks of both queues while you move Gs between them (std::scoped_lock)");
    Queues queues(2);
    queues.fill(0, 4);
    std::atomic<bool> stolen{false};
    Task* first = nullptr;
    kit::Lock& mine = queues.gs.local(1).lock;
    mine.lock();
    std::thread other([&] {
        Machine thief{&queues.sched, 1};
        first = queues.gs.steal(thief);
        stolen = true;
    });
    for (int i = 0; i < 50 && !stolen; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool while_locked = stolen;
    mine.unlock();
    other.join();
    CHECK_FALSE(while_locked);
    REQUIRE(first != nullptr);
    queues.sched.ready().push(*first);
    CHECK(queues.names_in(1).size() == 1);
}

TEST_CASE("4.8 a machine with nothing to run steals, and the trace records from which machine and how many Gs") {
    INFO("search the own queue, the global one, the trees and the others' queues before you park");
    const trace::Trace recorded =
        trace_of_machines("steals", 2, [] { go([] { go_workers(6, 4, 5 * kMicrosecond); }, "root"); });
    CHECK(count_machine(recorded, trace::MachineOp::start) == 2);
    CHECK(count_machine(recorded, trace::MachineOp::stop) == 2);
    CHECK(count_machine(recorded, trace::MachineOp::steal) > 0);
    for (const trace::Event& event : all_of(recorded, trace::Kind::machine)) {
        if (event.first<trace::MachineOp>() != trace::MachineOp::steal) continue;
        INFO("pass the victim and the number of Gs to record_steal: the trace knows which machine the thief is");
        CHECK(event.other != event.m);
        CHECK(event.x >= 1);
    }
    CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
}

// ---- queues ---------------------------------------------------------------------------------------------------------

TEST_CASE("4.8 on one machine tasks that yield take turns") {
    INFO("a G that yields goes to the end of its machine's queue");
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go("root", [&] {
        for (const char* name : {"a", "b", "c"})
            go(name, [&log, name] {
                for (int i = 0; i < 2; ++i) {
                    log.emplace_back(name);
                    yield();
                }
            });
    });
    CHECK(sched.run().empty());
    CHECK(log == Log{"a", "b", "c", "a", "b", "c"});
}

TEST_CASE("4.8 a task that yields goes to its machine's queue, and a woken one to the global queue") {
    INFO("a yield goes to the machine's own queue; make_ready of a parked task to the global one");
    const trace::Trace recorded = trace_of_machines("queues", 1, [] {
        const Handle sleeper = go([] { park("a friend"); }, "parked");
        go("friend", [sleeper] {
            yield();
            wake(sleeper);
        });
    });
    std::size_t woken = 0;
    for (std::size_t i = 1; i < recorded.size(); ++i)
        if (recorded[i - 1].kind == trace::Kind::state && recorded[i - 1].third<Cause>() == Cause::signal) {
            CHECK(recorded.set_name(recorded[i].set) == "ready");
            ++woken;
        }
    CHECK(woken == 1);
    CHECK(count(recorded, trace::Kind::insert, "runnable of machine 0") >= 2);
}

TEST_CASE("4.8 a machine whose own queue is never empty still takes from the global one") {
    INFO("look at the global queue first every few turns: otherwise a full local queue starves it");
    Scheduler sched(Settings{.strategy = "go"});
    bool over = false;
    int turns = 0;
    const Handle parked = go("parked", [&] {
        park("a wake");
        over = true;
    });
    for (int i = 0; i < 2; ++i)
        go("yielder", [&] {
            wake(parked);
            while (!over && ++turns < 1000) yield();
        });
    CHECK(sched.run().empty());
    INFO("the woken task is in the global queue: it must get its turn, and it ends the yielding");
    CHECK(over);
    CHECK(turns > 0);
    CHECK(turns < 200);
}

TEST_CASE("4.8 Gs that wake each other again and again do not starve one that sleeps") {
    INFO("expired Gs are woken even while the global queue is never empty");
    Scheduler sched(Settings{.strategy = "go"});
    bool over = false;
    int turns = 0;
    Handle one, two;
    const auto ping = [&](const Handle& other) {
        while (!over && ++turns < 10'000) {
            kit::work(kMicrosecond);
            wake(other);
            park("the other");
        }
        over = true;
        wake(other);
    };
    one = go([&] { ping(two); });
    two = go([&] { ping(one); });
    later(10 * kMicrosecond, "sleeper", [&] { over = true; });
    CHECK(sched.run().empty());
    CHECK(over);
    CHECK(turns < 1000);
}

TEST_CASE("4.8 the main machine begins with the root, once") {
    INFO("loop pushes the root to its own queue, and next takes it out: it is not run a second time");
    const auto recorded = kit::testing::record("root", [] {
        Scheduler sched(Settings{.strategy = "go", .machines = 3});
        go([] { kit::work(20 * kMicrosecond); }, "root");
        go([] { kit::work(kMicrosecond); }, "second");
        static_cast<void>(sched.run());
    });
    int begun = 0, taken_out = 0;
    for (std::size_t i = 0; i < recorded.trace.size(); ++i) {
        const trace::Event& e = recorded.trace[i];
        if (e.kind == trace::Kind::remove && recorded.trace.name(e.co) == "root" && begun == 0) ++taken_out;
        if (e.kind != trace::Kind::switch_ || e.first<trace::Why>() != trace::Why::start ||
            recorded.trace.name(e.other) != "root")
            continue;
        INFO("machine 0 starts the root before the other machines may steal");
        CHECK(e.m == 0);
        ++begun;
    }
    CHECK(taken_out == 1);
    CHECK(begun == 1);
}

TEST_CASE("4.8 a G that yields is in no queue until it has left, and then in one") {
    INFO("push a G only after resume_on has returned: another machine may resume a queued G at once");
    Queues queues(1);
    std::size_t while_it_ran = 99;
    const auto standing = [&] { return queues.gs.local(0).runnable.size() + queues.sched.ready().size(); };
    queues.sched.go([&] {
        while_it_ran = standing();
        yield();
    });
    Task& g = *queues.sched.ready().pop();
    bool refused = false;
    const auto resume = [&] { queues.run([&](Machine& machine) { queues.gs.resume(queues.shared, machine, g); }); };
    try {
        resume();
    } catch (const kit::Misuse&) {
        refused = true;
    }
    CHECK(while_it_ran == 0);
    INFO("a ready G goes into its machine's queue, any other to insert_yielded: never both");
    CHECK_FALSE(refused);
    CHECK(standing() == 1);
    if (queues.gs.local(0).runnable.size() == 1) {
        queues.gs.local(0).runnable.pop();
        resume();
    }
    CHECK(standing() == 0);
}

TEST_CASE("4.8 the global queue is searched before other machines' queues") {
    INFO("a G in another machine's queue will run there; a G in the global queue may not run at all");
    Queues queues(2);
    queues.fill(0, 2);
    queues.sched.go([] {}, Attributes{.name = "global", .stack_size = kit::kDefaultStackSize});
    Machine second{&queues.sched, 1};
    Task* next = queues.gs.next(queues.shared, second);
    REQUIRE(next != nullptr);
    CHECK(next->core().name() == "global");
    queues.sched.ready().push(*next);
    CHECK(queues.names_in(0).size() == 2);
}

TEST_CASE("4.8 a thief starts with its neighbour, not always with the same machine") {
    INFO("machine 1 starts with 2: if all started with 0, all would empty its queue at once");
    Queues queues(3);
    queues.fill(0, 2);
    queues.fill(2, 2);
    Machine thief{&queues.sched, 1};
    Task* stolen = queues.gs.steal(thief);
    REQUIRE(stolen != nullptr);
    CHECK(stolen->core().name() == "g2");
    queues.sched.ready().push(*stolen);
}

// ---- Gs and their deferred calls
// -------------------------------------------------------------------------------------

TEST_CASE("4.8 deferred calls are made at the end of a G, the last one first") {
    INFO("defer pushes on a stack of the G; its end pops one call after the other, and each may switch");
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go("g", [&] {
        defer([&] { log.emplace_back("first"); });
        defer([&] {
            yield();
            log.emplace_back("second");
        });
        log.emplace_back("body");
    });
    CHECK(sched.run().empty());
    CHECK(log == Log{"body", "second", "first"});
}

TEST_CASE("4.8 deferred calls are made also when a G fails, and all of them when one of them fails") {
    INFO("a call that throws does not stop those below it; the last failure is reported");
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go("g", [&] {
        defer([&] { log.emplace_back("closes"); });
        defer([] { throw std::runtime_error("the second failure"); });
        throw std::runtime_error("the first failure");
    });
    const std::vector<Failure> failures = sched.run();
    CHECK(log == Log{"closes"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what == "the second failure");
}

TEST_CASE("4.8 a call that is deferred by a deferred call is made next") {
    INFO("look at the top of the stack again after each call");
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go("g", [&] {
        defer([&] { log.emplace_back("outer"); });
        defer([&] { defer([&] { log.emplace_back("inner"); }); });
    });
    CHECK(sched.run().empty());
    CHECK(log == Log{"inner", "outer"});
}

TEST_CASE("4.8 deferred calls are made whatever a G throws, and when it is unwound with its scheduler") {
    INFO("catch everything at the end of a G, and make its calls also when it is unwound");
    Log log;
    {
        Scheduler sched(Settings{.strategy = "go"});
        go("thrower", [&] {
            defer([&] { log.emplace_back("after 42"); });
            sleep_for(10 * kMicrosecond);  // the other one starts
            throw 42;
        });
        go_system([&] {
            defer([&] { log.emplace_back("unwound"); });
            park("nothing");
        });
        CHECK(sched.run().size() == 1);
    }
    CHECK(log == Log{"after 42", "unwound"});
}
