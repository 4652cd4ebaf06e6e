// Step 4.7: netco's processors: the tests for every strategy, on one processor; then tests with several.
#define FIBERSCOPE_STEP "4.7"
#define FIBERSCOPE_STRATEGY "netco"
#include "labs/04_scheduler/tests/strategies/strategies.h"

#include "labs/kit/machines/work.h"
#include "labs/kit/report/notes.h"

namespace {

/// A scheduler with several processors, on simulated events.
struct Processors {
    explicit Processors(unsigned machines, const char* strategy = "netco")
        : sched(Settings{.strategy = strategy, .source = &io, .machines = machines}) {}
    SimulatedSource io;
    Scheduler sched;
    Log log;

    std::vector<Failure> run() { return sched.run(); }
};

unsigned here() { return kit::thread_state().machine; }
unsigned processor_of(const Handle& handle) { return handle.task().sched->machine(); }

/// The results of a workload with a number of processors, and its duration.
std::pair<Results, std::uint64_t> run_workload(const char* name, unsigned machines, const char* strategy = "netco") {
    kit::choose_clock(kit::clock_kind());
    Processors stand(machines, strategy);
    Stage stage{stand.io, 11};
    Results results = workload(name).run(stage);
    return {std::move(results), kit::now()};
}

/// "insert a", "remove a", "enter a": changes of a set, and resumed tasks, in order.
Log around(const trace::Trace& recorded, std::string_view set) {
    Log log;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const trace::Event& e = recorded[i];
        if (e.kind == trace::Kind::switch_ && recorded.name(e.other) != "main")
            log.push_back("enter " + recorded.name(e.other));
        if ((e.kind == trace::Kind::insert || e.kind == trace::Kind::remove) &&
            kit::testing::set_called(recorded, e.set) == set)
            log.push_back(std::string(word(e.kind)) + " " + recorded.name(e.co));
    }
    return log;
}

}  // namespace

// ---- where a task runs ----------------------------------------------------------------------------------------------

TEST_CASE("4.7 a task runs on the requested processor, from its first step to its last") {
    INFO("a task's processor is chosen when it is spawned and never changes: a wake puts it there");
    Processors stand(3);
    stand.io.becomes_ready(7, Want::read, 20 * kMicrosecond);
    std::vector<unsigned> seen;
    const auto look = [&] { seen.push_back(here()); };
    go_on(2, [&] {
        look();
        yield();
        look();
        sleep_for(5 * kMicrosecond);
        look();
        wait_readable(7);
        look();
        go_on(1, [&] { seen.push_back(10 + here()); });
    });
    CHECK(stand.run().empty());
    CHECK(seen == std::vector<unsigned>{2, 2, 2, 2, 11});
    INFO("there are three, numbered from 0");
    CHECK_THROWS_AS(go_on(3, [] {}), std::invalid_argument);
}

TEST_CASE("4.7 a new task goes to the processor with the fewest tasks, including those that have not run yet") {
    INFO("the least busy processor has the fewest tasks alive; of several equal ones the first");
    Processors stand(3);
    for (int i = 0; i < 2; ++i) go_on(0, [] {});
    go_on(2, [] {});
    std::vector<unsigned> chosen;
    for (int i = 0; i < 5; ++i) chosen.push_back(processor_of(go([] {})));
    CHECK(chosen == std::vector<unsigned>{1, 1, 2, 0, 1});
    CHECK(stand.run().empty());
    INFO("tasks that have ended do not count");
    go_on(0, [] {});
    CHECK(processor_of(go([] {})) == 1);
    CHECK(stand.run().empty());
}

TEST_CASE("4.7 tasks spawned by tasks are distributed over the processors") {
    INFO("count a task for its processor when it is assigned, not when it has run");
    Processors stand(4);
    std::vector<int> begun(4);
    go([&] {
        for (int i = 0; i < 7; ++i)
            go([&] {
                kit::work(50 * kMicrosecond);
                ++begun[here()];
            });
        kit::work(kMicrosecond);
    });
    CHECK(stand.run().empty());
    CHECK(begun == std::vector<int>{1, 2, 2, 2});
}

// ---- a round --------------------------------------------------------------------------------------------------------

TEST_CASE("4.7 a round runs the expired tasks, then the new, then the active") {
    INFO("each round: expired, then the buffer of new ones, then the active queue");
    Processors stand(1);
    later(5 * kMicrosecond, "sleeper", [&] { stand.log.emplace_back("expired"); });
    go([&] {
        kit::work(20 * kMicrosecond);
        go([&] { stand.log.emplace_back("new"); });
        for (int i = 0; i < 2; ++i) yield();
        stand.log.emplace_back("active");
    });
    CHECK(stand.run().empty());
    CHECK(stand.log == Log{"expired", "new", "active"});
}

TEST_CASE("4.7 a task spawned in a round goes into the other buffer, and runs in the next round") {
    INFO("swap the two buffers before you run the new tasks, then empty the one that is no longer filled");
    Processors stand(1);
    int begun = 0;
    bool over = false;
    const std::function<void()> chain = [&] {
        if (!over && ++begun < 500) go(chain);
    };
    go(chain);
    go([&] {
        for (int i = 0; i < 3; ++i) yield();
        over = true;
    });
    CHECK(stand.run().empty());
    INFO("if the loop empties the buffer that is being filled, tasks that spawn others starve the rest");
    CHECK(begun < 10);
}

TEST_CASE("4.7 dead tasks are released at the end of a round, not one by one") {
    INFO("a task that has ended goes into the removed list; the end of the round releases them");
    const trace::Trace recorded = trace_of("removal", [] {
        Processors stand(1);
        go([] {}, "a");
        go([] {}, "b");
        static_cast<void>(stand.run());
    });
    CHECK(around(recorded, "removed of processor 0") ==
          Log{"enter a", "insert a", "enter b", "insert b", "remove a", "remove b"});
}

TEST_CASE("4.7 an expired task goes into the expired queue, and each processor has its own sets in the trace") {
    INFO("a task whose deadline has passed goes from the heap into the expired queue of its own processor");
    const trace::Trace recorded = trace_of("sets", [] {
        Processors stand(2);
        go_on(1, [] { sleep_for(5 * kMicrosecond); });
        static_cast<void>(stand.run());
    });
    for (const char* set : {"new of processor 1, buffer 0", "sleeping of processor 1", "expired of processor 1",
                            "removed of processor 1"}) {
        INFO(kit::told(message("every task inserted into '{0}' is removed from it, once", set)));
        CHECK(count(recorded, trace::Kind::insert, set) == 1);
        CHECK(count(recorded, trace::Kind::remove, set) == 1);
    }
    CHECK(count(recorded, trace::Kind::insert, "active of processor 1") == 0);
    for (const trace::Event& e : all_of(recorded, trace::Kind::set)) CHECK(e.x == 1);
}

// ---- from one processor to another ----------------------------------------------------------------------------------

TEST_CASE("4.7 a waiting processor immediately starts a task that another processor gives it") {
    INFO("go on another processor must end that processor's wait");
    Processors stand(2);
    std::uint64_t begun = 0;
    go_on(0, [&] {
        kit::work(50 * kMicrosecond);
        go_on(1, [&] { begun = kit::now(); });
        kit::work(50 * kMicrosecond);
    });
    CHECK(stand.run().empty());
    CHECK(begun >= 50 * kMicrosecond);
    CHECK(begun < 51 * kMicrosecond);
}

TEST_CASE("4.7 waking, cancelling and joining work for tasks of other processors, and those that sleep there") {
    INFO("find the task's processor, take the task out under that processor's lock, and wake that processor");
    Processors stand(2);
    Log& log = stand.log;
    const Handle parked = go_on(1, [&] { log.emplace_back(park("a friend") == Wake::event ? "woken" : "?"); });
    const Handle sleeper =
        go_on(1, [&] { log.emplace_back(sleep_for(500 * kMicrosecond) == Wake::cancelled ? "cancelled" : "?"); });
    go_on(0, [&] {
        sleep_for(10 * kMicrosecond);
        wake(parked);
        join(parked);
        cancel(sleeper);
        log.emplace_back(join(sleeper) == Wake::event ? "joined" : "?");
    });
    CHECK(stand.run().empty());
    CHECK(log == Log{"woken", "cancelled", "joined"});
    CHECK(kit::now() < 15 * kMicrosecond);
}

TEST_CASE("4.7 four processors take less virtual time than two, and two less than one") {
    INFO("processors run at the same time, each with its own sets");
    const std::uint64_t one = run_workload("fanout", 1).second, two = run_workload("fanout", 2).second,
                        four = run_workload("fanout", 4).second;
    CHECK(two < one * 2 / 3);
    CHECK(four < two * 4 / 5);
}

TEST_CASE("4.7 the workloads give the same results as the loop of step 4.4, and each run takes the same time") {
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(kit::told(
            message("the workload '{0}' gives the same results with any loop and any number of processors", one.name)));
        const Results expected = run_workload(one.name, 1, "producer_consumer").first;
        for (const unsigned machines : {1U, 2U, 3U, 8U}) {
            const auto first = run_workload(one.name, machines);
            CHECK(first.first == expected);
            CHECK(run_workload(one.name, machines) == first);
        }
    }
}

TEST_CASE("4.7 the traces of several processors keep every rule") {
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(one.name);
        const trace::Trace recorded = trace_of(one.name, [&] { run_workload(one.name, 4); });
        CHECK(recorded.machines() == 4);
        CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
    }
}

// ---- the end --------------------------------------------------------------------------------------------------------

TEST_CASE("4.7 a scheduler that ends unwinds the tasks of every processor, in whichever set they are") {
    INFO("unwind the tasks in every set of every processor; tasks that never ran are only destroyed");
    struct Counted {
        int& alive;
        explicit Counted(int& n) : alive(n) { ++alive; }
        ~Counted() { --alive; }
    };
    int alive = 0, ran = 0;
    {
        Processors stand(2);
        for (const unsigned i : {0U, 1U})
            go_on(i, [&] {
                const Counted local(alive);
                park("nothing");
                alive = -100;
            });
        CHECK_THROWS_AS(stand.run(), Stuck);
        CHECK(alive == 2);
        go_on(1, [&] { ++ran; });
    }
    CHECK(alive == 0);
    CHECK(ran == 0);
}

// ---- real threads ---------------------------------------------------------------------------------------------------

TEST_CASE("4.7 on real threads the traces keep every rule") {
    for (int i = 0; i < 5; ++i)
        for (const char* name : {"mixed", "fanout", "pipeline"}) {
            INFO(name);
            trace_of(name, [&] {
                kit::choose_clock(kit::ClockKind::monotonic);
                run_workload(name, 3);
            });
        }
}

TEST_CASE("4.7 the end of a system task does not count as the end of a task of the program") {
    INFO("a system task that ends leaves the others as they are");
    kit::testing::use_virtual_time();
    Processors stand(1);
    stand.sched.go([] {}, {}, {.system = true});
    stand.sched.go([&] {
        sleep_for(kit::testing::kMillisecond);
        stand.log.emplace_back("ended");
    });
    CHECK(stand.run().empty());
    INFO(
        "alive_ counts the program's tasks: a task that was not counted when it was spawned is not subtracted when "
        "it ends");
    CHECK(stand.log == Log{"ended"});
}
