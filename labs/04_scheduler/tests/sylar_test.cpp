// Step 4.6: what sylar's scheduler has in common with the other strategies, and its workloads on several machines.
#define FIBERSCOPE_STEP "4.6"
#define FIBERSCOPE_STRATEGY "sylar"
#include "labs/04_scheduler/tests/strategies/strategies.h"

#include "labs/04_scheduler/sylar.h"
#include "labs/kit/report/notes.h"

namespace {

void run_workload(const char* name, const Settings& settings, std::uint64_t seed) {
    SimulatedSource io;
    Settings mine = settings;
    mine.source = &io;
    Scheduler sched(mine);
    Stage stage{io, seed};
    workload(name).run(stage);
    if (sched.alive() > 0) throw std::runtime_error("run has returned before its tasks have ended");
}

}  // namespace

TEST_CASE("4.6 the workloads give the same results as with other strategies, for all machines, threads and clocks") {
    for (const auto clock : {kit::ClockKind::virtual_, kit::ClockKind::monotonic})
        for (const Workload& one : workloads()) {
            if (!suits(one)) continue;
            const auto results = [&](const char* strategy, unsigned machines) {
                kit::choose_clock(clock);
                SimulatedSource io;
                Scheduler sched(Settings{.strategy = strategy, .source = &io, .machines = machines});
                Stage stage{io, 11};
                return one.run(stage);
            };
            INFO(kit::told(message(
                "the workload '{0}' gives the same results with any strategy and any number of machines", one.name)));
            INFO(one.name);  // the message above is not printed where an entry differs
            const Results expected = results("producer_consumer", 1);
            for (const unsigned machines : {1U, 2U, 5U}) check_same(results("sylar", machines), expected);
        }
}

TEST_CASE("4.6 four machines take less virtual time than one, and the same time on every run") {
    INFO("each machine takes from the one list; the schedule depends only on the clocks and the seed");
    const auto makespan = [](unsigned machines) {
        kit::choose_clock(kit::clock_kind());
        run_workload("fanout", {.strategy = "sylar", .machines = machines}, 1);
        return kit::now();
    };
    const std::uint64_t one = makespan(1), four = makespan(4);
    CHECK(2 * four < one);
    CHECK(makespan(4) == four);
}

TEST_CASE("4.6 the traces of several machines keep every rule, also where their clocks agree") {
    for (const char* name : {"mixed", "hog"})
        for (const unsigned machines : {3U, 8U})
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                INFO(kit::told(message("({0}, {1} machines, seed {2})", name, machines, seed)));
                const auto recorded = kit::testing::record(
                    name, [=] { run_workload(name, {.strategy = "sylar", .machines = machines, .seed = seed}, seed); });
                CHECK(recorded.fault == "");
            }
}

TEST_CASE("4.6 the traces of real threads keep every rule") {
    INFO("every insertion into a set has a removal, on whichever machine");
    for (const unsigned machines : {2U, 4U, 8U}) {
        const trace::Trace recorded = trace_of("real_threads", [=] {
            kit::choose_clock(kit::ClockKind::monotonic);
            for (const char* name : {"mixed", "hog", "fanout", "pipeline"})
                run_workload(name, {.strategy = "sylar", .machines = machines}, machines);
        });
        CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
    }
}

TEST_CASE("4.6 the list is served in order, pinned or not") {
    INFO("search the list from its front, and take the first entry that this machine may run");
    Stand stand;
    Log log;
    for (const char* name : {"a", "b", "c", "d"}) {
        const auto body = [&log, name] { log.emplace_back(name); };
        if (*name == 'b' || *name == 'd')
            go_on(0, body);
        else
            go(body, name);
    }
    CHECK(stand.sched.run().empty());
    CHECK(log == Log{"a", "b", "c", "d"});
}

TEST_CASE("4.6 a coroutine that cannot be scheduled stays unpinned") {
    INFO("given: schedule of a ready coroutine is refused, and changes nothing: any machine may still run it");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 2});
    bool ran = false;
    const Handle fresh = schedule([&] { ran = true; });
    CHECK_FALSE(schedule(fresh, 1));
    CHECK(fresh.task().pinned == kAnyMachine);
    CHECK(sched.run().empty());
    CHECK(ran);
}

TEST_CASE("4.6 a machine that takes a pinned task wakes another machine for the tasks that it leaves") {
    INFO("whatever a machine has taken: if any machine may run what is left, wake another one");
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
        for (const unsigned pinned : {0U, 1U}) {
            use_virtual_time();
            bool slept = false;
            std::uint64_t late = 0;
            SimulatedSource io;
            Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 2, .seed = seed});
            go_on(pinned, [] {
                sleep_for(50 * kMicrosecond - kit::now());
                kit::work(1000 * kMicrosecond);
            });
            go([&] {
                sleep_for(50 * kMicrosecond - kit::now());
                late = kit::now() - 50 * kMicrosecond;
                slept = true;
            });
            CHECK(sched.run().empty());
            CHECK(slept);
            CHECK(late < 100 * kMicrosecond);
        }
}

TEST_CASE("4.6 stop takes the scheduler's lock: a machine may be checking whether the run is over") {
    INFO("stop takes the lock (SchedulerLock) before it sets the flag, and before it unparks machines");
    record_nothing(kRealTime);
    Scheduler sched(Settings{.strategy = "sylar", .machines = 2});
    auto& sylar = dynamic_cast<Sylar&>(sched.strategy());
    bool waited = false, over = false;
    const auto stop = [&] { sylar.stop(sched.shared()); };
    const auto look = [&]() KIT_UNCHECKED { over = sylar.stopping(sched.shared()); };
    const auto failures = start_and_stop(sched, [&] { waited = waits_for(sched.shared().lock(), stop, look); });
    CHECK(failures.empty());
    CHECK(waited);
    INFO(
        "if stop sets the flag before it has the lock, a machine may read it in the middle of its check, and sleep "
        "forever");
    CHECK_FALSE(over);
}
