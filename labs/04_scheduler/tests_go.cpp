#include <atomic>
#include <chrono>
#include <thread>

#define FIBERSCOPE_STEP "4.8"
#define FIBERSCOPE_STRATEGY "go"
#define FIBERSCOPE_MACHINES 2
#include "labs/04_scheduler/go_scheduler.h"
#include "labs/04_scheduler/tests_strategies.h"

namespace {

/// Queues of machines without their threads: Gs that never run, put where a test wants them.
struct Queues {
    explicit Queues(unsigned machines) : Queues(machines, machines) {}
    Queues(unsigned machines, unsigned threads) : sched(Settings{.machines = threads}), gs(machines) {
        use_virtual_time();
    }

    /// `count` new Gs at the end of a machine's queue, named "g0", "g1", …
    void fill(unsigned machine, int count) {
        for (int i = 0; i < count; ++i) {
            sched.go([] {}, Attributes{.name = "g" + std::to_string(named++), .stack_size = kit::kDefaultStackSize});
            gs.local(machine).runnable.push(*sched.ready().pop());
        }
    }
    ~Queues() {
        for (unsigned i = 0; i < gs.machines(); ++i) names_in(i);
    }
    Queues(const Queues&) = delete;
    Queues& operator=(const Queues&) = delete;

    Log names_in(unsigned machine) {
        Log names;
        for (std::size_t n = gs.local(machine).runnable.size(); n > 0; --n) {
            Task* g = gs.local(machine).runnable.pop();
            names.push_back(g->core().name());
            sched.ready().push(*g);
        }
        return names;
    }

    Scheduler sched;
    GoScheduler gs;
    int named = 0;
};

/// What a program with a scheduler of some machines recorded.
trace::Trace trace_of_machines(const char* name, unsigned machines, const std::function<void()>& begin) {
    return trace_of(name, [&] {
        Scheduler sched(Settings{.strategy = "go", .machines = machines});
        begin();
        static_cast<void>(sched.run());
    });
}

std::size_t count_machine(const trace::Trace& recorded, trace::MachineOp op) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        n += recorded[i].kind == trace::Kind::machine && recorded[i].first<trace::MachineOp>() == op ? 1U : 0U;
    return n;
}

void go_workers(int count, int turns, std::uint64_t work) {
    for (int i = 0; i < count; ++i)
        go(
            [=] {
                for (int n = 0; n < turns; ++n) {
                    kit::work(work);
                    yield();
                }
            },
            "worker " + std::to_string(i));
}

}  // namespace

// ---- stealing ------------------------------------------------------------------------------------------------------------

TEST_CASE("4.8 a thief takes half of a queue, those that have waited for longest") {
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

TEST_CASE("4.8 nobody steals the last one of a queue") {
    Queues queues(3);
    queues.fill(0, 1);
    queues.fill(2, 1);
    Machine thief{&queues.sched, 1};
    CHECK(queues.gs.steal(thief) == nullptr);
    CHECK(queues.names_in(0).size() == 1);
    CHECK(queues.names_in(2).size() == 1);
}

TEST_CASE("4.8 a thief looks at every other machine") {
    for (unsigned victim : {0U, 2U, 3U}) {
        Queues queues(4);
        queues.fill(victim, 2);
        Machine thief{&queues.sched, 1};
        Task* stolen = queues.gs.steal(thief);
        INFO("victim " << victim);
        REQUIRE(stolen != nullptr);
        queues.sched.ready().push(*stolen);
        CHECK(queues.names_in(victim).size() == 1);
    }
}

TEST_CASE("4.8 a thief locks his own queue as well: another may be stealing from it") {
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

TEST_CASE("4.8 who has nothing steals, and the trace tells from whom and how many") {
    const trace::Trace recorded =
        trace_of_machines("steals", 2, [] { go([] { go_workers(6, 4, 5 * kMicrosecond); }, "root"); });
    CHECK(count_machine(recorded, trace::MachineOp::start) == 2);
    CHECK(count_machine(recorded, trace::MachineOp::stop) == 2);
    CHECK(count_machine(recorded, trace::MachineOp::steal) > 0);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const auto event = recorded[i];
        if (event.kind != trace::Kind::machine || event.first<trace::MachineOp>() != trace::MachineOp::steal) continue;
        CHECK(event.other != event.m);
        CHECK(event.x >= 1);
    }
    CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
}

// ---- queues --------------------------------------------------------------------------------------------------------------

TEST_CASE("4.8 on one machine those who yield take turns") {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            for (const char* name : {"a", "b", "c"})
                go(
                    [&log, name] {
                        for (int i = 0; i < 2; ++i) {
                            log.emplace_back(name);
                            yield();
                        }
                    },
                    name);
        },
        "root");
    CHECK(sched.run().empty());
    CHECK(log == Log{"a", "b", "c", "a", "b", "c"});
}

TEST_CASE("4.8 a yielder goes to its machine's queue, and who is woken to the global one") {
    const trace::Trace recorded = trace_of_machines("queues", 1, [] {
        const Handle sleeper = go([] { park("a friend"); }, "parked");
        go(
            [sleeper] {
                yield();
                wake(sleeper);
            },
            "friend");
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
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    bool over = false;
    int turns = 0;
    const Handle parked = go(
        [&] {
            park("a wake");
            over = true;
        },
        "parked");
    for (int i = 0; i < 2; ++i)
        go(
            [&] {
                wake(parked);
                while (!over && ++turns < 1000) yield();
            },
            "yielder");
    CHECK(sched.run().empty());
    CHECK(turns < 200);
}

TEST_CASE("4.8 the main machine begins with the root, once") {
    const trace::Trace recorded = trace_of_machines("root", 3, [] {
        go(
            [] {
                kit::work(20 * kMicrosecond);
                yield();
                kit::work(kMicrosecond);
            },
            "root");
        go([] { kit::work(kMicrosecond); }, "second");
    });
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::switch_ && recorded[i].first<trace::Why>() == trace::Why::start &&
            recorded.name(recorded[i].other) == "root")
            CHECK(recorded[i].m == 0);
}

TEST_CASE("4.8 a G knows which machine ran it last, and when") {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    const Handle g = go(
        [] {
            kit::work(3 * kMicrosecond);
            yield();
        },
        "g");
    CHECK(sched.run().empty());
    CHECK(g.task().machine == 0);
    CHECK(g.task().last_run > 3 * kMicrosecond);
    CHECK(g.task().last_run < kit::now());
}

// ---- parking -------------------------------------------------------------------------------------------------------------

TEST_CASE("4.8 before it parks a machine looks once more, at all queues") {
    Queues queues(2, 1);
    queues.fill(0, 3);
    ReadyQueue& mine = queues.gs.local(0).runnable;
    ReadyQueue& theirs = queues.gs.local(1).runnable;
    ReadyQueue& global = queues.sched.ready();
    std::size_t idle = 0;
    const auto park = [&] {
        queues.sched.run_on_machines([&](Machine& machine) {
            queues.gs.park(queues.sched, machine);
            idle = queues.sched.idle();
        });
    };
    INFO("three in its own queue");
    CHECK_NOTHROW(park());
    while (Task* g = mine.pop()) theirs.push(*g);
    INFO("three in another's queue");
    CHECK_NOTHROW(park());
    CHECK(idle == 0);
    global.push(*theirs.pop());
    global.push(*theirs.pop());
    INFO("two in the global queue");
    CHECK_NOTHROW(park());
    global.pop();
    global.pop();
    INFO("the last one of another's queue is not to be had: parked for ever, with nobody to call");
    CHECK_THROWS_AS(park(), Stuck);
}

TEST_CASE("4.8 the second G in a machine's own queue is worth calling somebody") {
    Queues queues(2);
    queues.fill(0, 2);
    Task* two[] = {queues.gs.local(0).runnable.pop(), queues.gs.local(0).runnable.pop()};
    std::size_t parked_beside_one = 0;
    const auto body = [&](Machine& machine) {
        if (machine.index == 1) return queues.gs.park(queues.sched, machine);
        while (queues.sched.idle() == 0) kit::work(1);
        queues.gs.push_local(queues.sched, machine, *two[0]);
        parked_beside_one = queues.sched.idle();
        queues.gs.push_local(queues.sched, machine, *two[1]);
    };
    INFO("the last one of a queue cannot be stolen; of two, one can: else the other machine sleeps for ever");
    CHECK_NOTHROW(queues.sched.run_on_machines(body));
    CHECK(parked_beside_one == 1);
}

TEST_CASE("4.8 a parked machine is called when there is work for it") {
    const trace::Trace recorded = trace_of_machines("called", 3, [] {
        go(
            [] {
                kit::work(10 * kMicrosecond);  // the others have parked
                go_workers(6, 3, 10 * kMicrosecond);
            },
            "root");
    });
    CHECK(count_machine(recorded, trace::MachineOp::park) >= 2);
    CHECK(count_machine(recorded, trace::MachineOp::unpark) >= 2);
    std::size_t on_others = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        on_others += recorded[i].kind == trace::Kind::switch_ && recorded[i].m != 0 ? 1U : 0U;
    CHECK(on_others > 6);
}

TEST_CASE("4.8 more machines take less virtual time, and repeat to the nanosecond") {
    std::uint64_t took[3] = {}, again[3] = {};
    const auto run = [](unsigned machines) {
        use_virtual_time();
        Scheduler sched(Settings{.strategy = "go", .machines = machines, .seed = 7});
        go([] { go_workers(16, 4, 10 * kMicrosecond); }, "root");
        static_cast<void>(sched.run());
        return kit::now();
    };
    for (unsigned i = 0; i < 3; ++i) took[i] = run(1U << i);
    for (unsigned i = 0; i < 3; ++i) again[i] = run(1U << i);
    for (int i = 0; i < 3; ++i) CHECK(took[i] == again[i]);
    CHECK(took[1] * 10 < took[0] * 6);
    CHECK(took[2] * 10 < took[1] * 7);
}

TEST_CASE("4.8 a million short lives on 2 to 8 machines: each runs once, and nobody is forgotten") {
    record_nothing();
    kit::choose_clock(kit::ClockKind::monotonic);
    constexpr unsigned kScale = kit::kUnderSanitizer ? 200 : 1;
    constexpr unsigned kRoots = 50;
    constexpr unsigned kChildren = 1'000'000 / 4 / kRoots / kScale;
    for (unsigned machines : {2U, 3U, 4U, 8U}) {
        std::atomic<std::uint64_t> ran{0}, sum{0};
        Scheduler sched(Settings{.strategy = "go", .machines = machines});
        for (unsigned r = 0; r < kRoots; ++r)
            go(
                [&ran, &sum, r] {
                    for (unsigned i = 0; i < kChildren; ++i) {
                        go([&ran, &sum, i] {
                            if (i % 4 == 0) yield();
                            ran.fetch_add(1, std::memory_order_relaxed);
                            sum.fetch_add(i, std::memory_order_relaxed);
                        });
                        if (i % 16 == r % 16) yield();
                    }
                },
                "parent");
        CHECK(sched.run().empty());
        INFO(machines << " machines");
        CHECK(ran == std::uint64_t{kRoots} * kChildren);
        CHECK(sum == std::uint64_t{kRoots} * kChildren * (kChildren - 1) / 2);
        CHECK(sched.alive() == 0);
    }
}

TEST_CASE("4.8 on real threads as well: the traces of all workloads keep every rule") {
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(one.name);
        const trace::Trace recorded = trace_of(one.name, [&] {
            kit::choose_clock(kit::ClockKind::monotonic);
            SimulatedSource io;
            Scheduler sched(Settings{.strategy = "go", .source = &io, .machines = 4});
            Stage stage{io, 3};
            one.run(stage);
        });
        CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
    }
}

// ---- deferred calls, system Gs -------------------------------------------------------------------------------------------

TEST_CASE("4.8 deferred calls are made at the end of a G, the last one first") {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            defer([&] { log.emplace_back("first"); });
            defer([&] {
                yield();
                log.emplace_back("second");
            });
            log.emplace_back("body");
        },
        "g");
    CHECK(sched.run().empty());
    CHECK(log == Log{"body", "second", "first"});
}

TEST_CASE("4.8 deferred calls are made also when a G fails, and all of them when one of them fails") {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            defer([&] { log.emplace_back("closes"); });
            defer([] { throw std::runtime_error("the second failure"); });
            throw std::runtime_error("the first failure");
        },
        "g");
    const std::vector<Failure> failures = sched.run();
    CHECK(log == Log{"closes"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what == "the second failure");
}

TEST_CASE("4.8 a call that is deferred by a deferred call is made next") {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            defer([&] { log.emplace_back("outer"); });
            defer([&] { defer([&] { log.emplace_back("inner"); }); });
        },
        "g");
    CHECK(sched.run().empty());
    CHECK(log == Log{"inner", "outer"});
}

TEST_CASE("4.8 run does not wait for Gs of the system, and goes on with them") {
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go", .machines = 2});
    int beats = 0;
    go_system(
        [&] {
            for (;; ++beats) sleep_for(10 * kMicrosecond);
        },
        {.name = "monitor", .stack_size = kit::kDefaultStackSize});
    go([] { sleep_for(55 * kMicrosecond); }, "g");
    CHECK(sched.run().empty());
    CHECK(beats == 5);
    go([] { sleep_for(20 * kMicrosecond); }, "another");
    CHECK(sched.run().empty());
    CHECK(beats >= 7);
}
