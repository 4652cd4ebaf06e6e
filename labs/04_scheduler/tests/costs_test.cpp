// Finds slow solutions by counting: members compared, calls of the source, machines unparked, locks taken.
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

TEST_CASE("4.2 finding the expired tasks looks at the first sleeper only, however many sleep") {
    INFO("the tree is ordered: if the first has not expired, none has");
    Scheduler sched;
    std::vector<Handle> tasks;
    for (std::uint64_t i = 0; i < 100; ++i) tasks.push_back(go([i] { sleep_for((100 + i) * kMicrosecond); }));
    run_ready(sched);
    // A sleeping task's memory is made read-only, so a scheduler that touches the other sleepers is caught.
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

/// Counts its calls.
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

TEST_CASE("4.3 a wait calls watch once and unwatch once; a sleep and a park call neither") {
    INFO("watch when a task enters the wait set, unwatch when it leaves it, and nowhere else");
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

/// The watches that are active, by descriptor and direction.
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

TEST_CASE("4.3 unwatch gets the same descriptor and direction as watch: a writer's wait is not a reader's") {
    INFO("unwatch names the descriptor and the direction of the task that leaves: task.fd and task.want, as watch did");
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

TEST_CASE("4.9 a task whose deadline is exactly now joins the active list, and does not go back") {
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

// The tests of step 4.6 are in this order because the first failure is reported first: one piece after the other.
TEST_CASE("4.6 the run is over when stop was called and no task is alive: a sleeping task is alive") {
    INFO("ask alive(), not the list: a task that sleeps or waits is not in the list, and will be again");
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

TEST_CASE("4.6 stop wakes the parked machines: otherwise they never see that it was called") {
    INFO("stop sets the flag and then unparks all machines: all of them may be parked at that moment");
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

TEST_CASE("4.6 a machine that ends wakes the others: all end, whichever is the last") {
    INFO("idle wakes all others when it ends; so resume the idle coroutine until it has ended, or it never gets there");
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

TEST_CASE("4.6 a machine that ends wakes all others, and not only the next") {
    INFO("wake all of them before the idle coroutine ends: if each wakes only the next, they end one after the other");
    constexpr unsigned kMachines = 8;
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = "sylar", .source = &io, .machines = kMachines});
    std::uint64_t before = 0;
    go([&] {
        kit::work(50 * kMicrosecond);  // the others have parked
        before = calls_of_machines(sched);
    });
    CHECK(sched.run().empty());
    CHECK(calls_of_machines(sched) - before > 2 * kMachines);  // each machine ends once, and wakes the others
}

TEST_CASE("4.6 an idle machine waits while the list holds only tasks of other machines") {
    INFO("look for a task that this machine may run: otherwise it polls again and again for one pinned elsewhere");
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

TEST_CASE("4.6 a machine wakes no other machine for tasks that only it may run") {
    INFO("wake another machine only for a task that it may run, and not for one pinned to this machine");
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

TEST_CASE("4.6 a task that yields alone wakes no other machine: its own machine checks the list next") {
    INFO(
        "on_ready wakes no machine for a task that the loop itself puts into the list (in_the_loop): this machine is "
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

TEST_CASE("4.10 a thousand uncontended acquisitions: no task waits, and no memory is allocated") {
    INFO("if free_for returns true, the task acquires the lock at once: the queue is only for tasks that must wait");
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

TEST_CASE("4.10 each wait is ended by one wake-up, however many tasks are queued") {
    INFO("wake only the tasks that admit_next lets in: others would run only to wait again");
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
