// Slow and lazy solutions, told by counting: members looked at, calls of the source, machines called, locks taken.
#include <array>
#include <map>
#include <utility>

#include "labs/04_scheduler/event_loop.h"
#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/sylar.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/allocations.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.2 to ask which has expired looks at the first sleeper only, however many sleep") {
    INFO("the tree is ordered: if the first has not expired, none has");
    Scheduler sched;
    std::vector<Handle> tasks;
    for (std::uint64_t i = 0; i < 100; ++i) tasks.push_back(go([i] { sleep_for((100 + i) * kMicrosecond); }));
    run_ready(sched);
    // Nothing may write there while a task sleeps; so a scheduler that looks at the others is found out.
    std::vector<std::uint64_t> deadlines;
    for (const Handle& task : tasks) deadlines.push_back(std::exchange(task.task().deadline, 0));
    tasks.front().task().deadline = deadlines.front();
    const Task* none = sched.expired(kMicrosecond);
    for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].task().deadline = deadlines[i];
    CHECK(none == nullptr);
    CHECK(sched.expired(deadlines.front()) == &tasks.front().task());
    run_sleepers(sched);
}

namespace {

/// Counts what it is asked.
struct CountingSource : SimulatedSource {
    int watched = 0, unwatched = 0;
    void watch(int fd, Want want) override {
        ++watched;
        SimulatedSource::watch(fd, want);
    }
    void unwatch(int fd, Want want) override {
        ++unwatched;
        SimulatedSource::unwatch(fd, want);
    }
};

}  // namespace

TEST_CASE("4.3 a wait asks the source once to watch, and once to stop; a sleep and a park ask nothing of it") {
    INFO("watch where a task enters the wait set, unwatch where it leaves it, and nowhere else");
    CountingSource source;
    Scheduler sched(Settings{.source = &source});
    constexpr int kTimes = 10;
    for (int i = 1; i <= kTimes; ++i) source.becomes_ready(7, Want::read, 10 * kMicrosecond * unsigned(i));
    go([] {
        for (int i = 0; i < kTimes; ++i) wait_readable(7);
        for (int i = 0; i < kTimes; ++i) wait_readable(8, kMicrosecond);
        for (int i = 0; i < kTimes; ++i) sleep_for(kMicrosecond);
        for (int i = 0; i < kTimes; ++i) park_for("nothing", kMicrosecond);
    });
    run_waiters(sched);
    CHECK(source.watched == 2 * kTimes);
    CHECK(source.unwatched == 2 * kTimes);
}

namespace {

/// What is watched for now, by descriptor and wish.
struct NotingSource : SimulatedSource {
    std::map<std::pair<int, Want>, int> now;
    int watched = 0;
    void watch(int fd, Want want) override {
        ++watched;
        ++now[{fd, want}];
        SimulatedSource::watch(fd, want);
    }
    void unwatch(int fd, Want want) override {
        --now[{fd, want}];
        SimulatedSource::unwatch(fd, want);
    }
};

}  // namespace

TEST_CASE("4.3 the source stops to watch for what it was told to watch for: a writer's wait is no reader's") {
    INFO("unwatch names the descriptor and the wish of the task that leaves: task.fd and task.want, as watch did");
    NotingSource source;
    Scheduler sched(Settings{.source = &source});
    go([] {
        wait_writable(7, kMicrosecond);
        wait_readable(8, kMicrosecond);
    });
    run_waiters(sched);
    const auto left = [&](int fd, Want want) { return source.now[{fd, want}]; };
    CHECK(source.watched == 2);
    CHECK(left(7, Want::write) == 0);
    CHECK(left(7, Want::read) == 0);
    CHECK(left(8, Want::read) == 0);
}

TEST_CASE("4.9 a task whose deadline is this very moment joins the active list, and does not go back") {
    INFO(
        "only a timer that is due later than now goes back into the store: what goes back now is taken out again and "
        "again");
    Scheduler sched(Settings{.strategy = "libco"});
    bool woken = false;
    later(5 * kMicrosecond, "sleeper", [&] { woken = true; });
    int rounds = 0;
    event_loop_of(sched).on_round([&rounds] { return ++rounds < 100 ? 0 : -1; });
    CHECK(sched.run().empty());
    CHECK(woken);
    CHECK(rounds < 100);
}

namespace {

std::uint64_t calls_of_machines(Scheduler& sched) {
    const SchedulerLock held(sched.shared());
    return sched.shared().wakes();
}

}  // namespace

// What stands here first is told first: the pieces of step 4.6, one by one.
TEST_CASE("4.6 it is over when stop was called and no task is alive: one that sleeps is alive") {
    INFO("stopping asks alive(), and not the list: a task that sleeps or waits stands in none, and comes back");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io});
    auto& sylar = dynamic_cast<Sylar&>(sched.strategy());
    bool before = true, asleep = true;
    const auto over = [&] {
        const SchedulerLock held(sched.shared());
        return sylar.stopping(sched.shared());
    };
    go([] { sleep_for(50 * kMicrosecond); });
    go([&] {
        sylar.stop(sched.shared());
        asleep = over();
    });
    const auto failures = start_and_stop(sched, [&] { before = over(); });
    CHECK(failures.empty());
    CHECK_FALSE(before);
    CHECK_FALSE(asleep);
    CHECK(over());
}

TEST_CASE("4.6 stop wakes the machines that wait: else they never see that it was called") {
    INFO("stop unparks all machines when it has set the flag: they may all be parked at that moment");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 2, .use_caller = false});
    bool ran = false;
    const auto meanwhile = [&] {
        schedule([&ran] { ran = true; });
        kit::work(50 * kMicrosecond);  // both machines have parked
    };
    CHECK_NOTHROW(static_cast<void>(start_and_stop(sched, meanwhile)));
    CHECK(ran);
}

TEST_CASE("4.6 a machine that comes to its end tells the others: all end, whichever is the last") {
    INFO(
        "idle tells all others at its end; so go on while the idle coroutine has not ended, or it never comes to that");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        use_virtual_time();
        SimulatedSource io;
        Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 3, .seed = seed});
        int ran = 0;
        go([&ran] {
            kit::work(50 * kMicrosecond);  // the others have parked
            ++ran;
        });
        CHECK_NOTHROW(static_cast<void>(sched.run()));
        CHECK(ran == 1);
    }
}

TEST_CASE("4.6 a machine that comes to its end calls all others, and not only the next") {
    INFO("tell all of them before the idle coroutine ends: called one by the other they end one after the other");
    constexpr unsigned kMachines = 8;
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = kMachines});
    std::uint64_t before = 0;
    go([&] {
        kit::work(50 * kMicrosecond);  // the others have parked
        before = calls_of_machines(sched);
    });
    CHECK(sched.run().empty());
    CHECK(calls_of_machines(sched) - before > 2 * kMachines);  // each ends once, and calls the others
}

TEST_CASE("4.6 an idle machine waits while the list holds only what others must run") {
    INFO("look for a task that this machine may run: for one that is pinned elsewhere it would look again and again");
    const trace::Trace recorded = trace_of("waits_beside_pinned", [] {
        SimulatedSource io;
        Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 2});
        for (int i = 0; i < 2; ++i) go_on(0, [] { kit::work(1000 * kMicrosecond); });
        static_cast<void>(sched.run());
    });
    std::size_t looks = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        looks += recorded[i].kind == trace::Kind::switch_ && recorded.name(recorded[i].other) == "idle 1" ? 1U : 0U;
    CHECK(looks > 0);
    CHECK(looks < 20);
    CHECK(count_machine(recorded, trace::MachineOp::park) > 0);
}

TEST_CASE("4.6 a machine calls no other one for tasks that only it may run") {
    INFO("call another machine only where a task is left that it may run, and none for a task that is pinned here");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 2});
    std::uint64_t before = 0, after = 0;
    int ran = 0;
    go_on(0, [&] {
        kit::work(50 * kMicrosecond);  // the other one has parked
        before = calls_of_machines(sched);
        for (int i = 0; i < 20; ++i)
            go_on(0, [&] {
                yield();
                ++ran;
            });
        for (int i = 0; i < 10; ++i) yield();
        after = calls_of_machines(sched);
    });
    CHECK(sched.run().empty());
    CHECK(ran == 20);
    CHECK(after == before);
}

TEST_CASE("4.6 a task that yields all alone calls no other machine: its own looks into the list next") {
    INFO(
        "on_ready calls no machine for a task that the loop itself puts into the list (in_the_loop): this machine is "
        "awake");
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = 2});
    std::uint64_t before = 0, after = 0;
    int turns = 0;
    go([&] {
        kit::work(50 * kMicrosecond);  // the other one has parked
        before = calls_of_machines(sched);
        for (; turns < 20; ++turns) yield();
        after = calls_of_machines(sched);
    });
    CHECK(sched.run().empty());
    CHECK(turns == 20);
    CHECK(after == before);
}

// ---- 4.10 -----------------------------------------------------------------------------------------------------------

namespace {

void read_and_write(RWMutex& mutex, int times) {
    for (int i = 0; i < times; ++i) {
        { const ReadGuard guard(mutex); }
        { const WriteGuard guard(mutex); }
    }
}

struct LockCosts {
    std::size_t acquired = 0, blocked = 0, woken = 0;

    explicit LockCosts(const trace::Trace& recorded) {
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            const trace::Event& e = recorded[i];
            if (e.kind == trace::Kind::lock) {
                acquired += e.first<trace::LockOp>() == trace::LockOp::acquire ? 1U : 0U;
                blocked += e.first<trace::LockOp>() == trace::LockOp::block ? 1U : 0U;
            }
            if (e.kind == trace::Kind::state) woken += e.third<Cause>() == Cause::signal ? 1U : 0U;
        }
    }
};

}  // namespace

TEST_CASE("4.10 a thousand times taken while it is free: no task waits, and no memory is asked for") {
    INFO("free_for says yes: the task takes it at once, and the queue is for those that must wait");
    constexpr int kTimes = 500;
    const LockCosts costs(trace_of("free_lock", [] {
        RWMutex mutex("table");
        Scheduler sched;
        go([&] { read_and_write(mutex, kTimes); });
        static_cast<void>(sched.run());
    }));
    CHECK(costs.acquired == 2 * kTimes);
    CHECK(costs.blocked == 0);
    use_virtual_time();
    record_nothing();
    RWMutex mutex("table");
    Scheduler sched;
    std::size_t asked = 99;
    go([&] {
        read_and_write(mutex, 1);
        const std::size_t before = kit::testing::allocations();
        read_and_write(mutex, kTimes);
        asked = kit::testing::allocations() - before;
    });
    CHECK(sched.run().empty());
    CHECK(asked <= 10);
}

TEST_CASE("4.10 each wait is ended by one wake-up, however many wait behind it") {
    INFO("wake the tasks that admit_next lets in, and no other: those behind them would run and wait again");
    constexpr std::size_t kWriters = 50;
    const LockCosts costs(trace_of("one_wake_up_each", [] {
        RWMutex mutex("table");
        Scheduler sched;
        for (std::size_t i = 0; i < kWriters; ++i)
            go([&] {
                const WriteGuard guard(mutex);
                sleep_for(kMicrosecond);
            });
        static_cast<void>(sched.run());
    }));
    CHECK(costs.acquired == kWriters);
    CHECK(costs.blocked == kWriters - 1);
    CHECK(costs.woken == costs.blocked);
}
