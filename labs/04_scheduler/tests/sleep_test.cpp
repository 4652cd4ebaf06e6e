// Step 4.2: the sleep tree.

#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

Handle go_sleeper(Log& log, const char* name, std::uint64_t ns) {
    return later(ns, name, [&log, name] { log.emplace_back(name); });
}

}  // namespace

TEST_CASE("4.2 sleepers wake in the order of their deadlines") {
    INFO("the tree is ordered by deadline, which is the clock plus the duration, computed once");
    Scheduler sched;
    Log log;
    go_sleeper(log, "30", 30 * kMicrosecond);
    go_sleeper(log, "10", 10 * kMicrosecond);
    go_sleeper(log, "20", 20 * kMicrosecond);
    run_sleepers(sched);
    CHECK(log == Log{"10", "20", "30"});
}

TEST_CASE("4.2 equal deadlines wake in the order in which they fell asleep") {
    INFO("give each sleeper the next order when it falls asleep, and compare that where deadlines are equal");
    Scheduler sched;
    Log log;
    std::vector<Handle> tasks;
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
        tasks.push_back(go([&log, name] { log.emplace_back(name); }, name));
        sched.ready().pop();
    }
    // All have the same deadline, as a coarse clock gives it; they are put to sleep one by one.
    for (const Handle& task : tasks) {
        task.task().deadline = 5 * kMicrosecond;
        sched.insert_sleeping(task.task());
    }
    Log order;
    for (Task* task = sched.sleeping().first(); task != nullptr; task = sched.sleeping().after(*task))
        order.push_back(task->core().name());
    for (std::size_t i = 1; i < tasks.size(); ++i) {
        INFO("a task that fell asleep earlier must have the smaller order and precede the later one");
        CHECK(tasks[i - 1].task().order < tasks[i].task().order);
        CHECK(sleeps_before(tasks[i - 1].task(), tasks[i].task()));
        CHECK_FALSE(sleeps_before(tasks[i].task(), tasks[i - 1].task()));
    }
    CHECK(order == Log{"a", "b", "c", "d", "e", "f", "g"});
    while (Task* task = sched.expired(5 * kMicrosecond)) {
        sched.remove(*task, Wake::timeout);
        sched.ready().push(*task);
    }
    run_ready(sched);
    CHECK(log == order);
}

TEST_CASE("4.2 tasks with equal deadlines wake in the order in which they fell asleep last") {
    INFO("give a sleeper the next order each time it falls asleep: an earlier sleep's number does not count");
    Scheduler sched;
    std::vector<Handle> tasks;
    for (const char* name : {"a", "b"}) tasks.push_back(go([] {}, name));
    const auto fall_asleep = [&](const Handle& handle) {
        handle.task().deadline = 5 * kMicrosecond;
        sched.insert_sleeping(handle.task());
    };
    for (const Handle& task : tasks) {
        sched.ready().pop();
        fall_asleep(task);
    }
    for (const Handle& task : tasks) sched.remove(task.task(), Wake::timeout);
    fall_asleep(tasks[1]);  // now b is first
    fall_asleep(tasks[0]);
    const Task* const first = sched.expired(5 * kMicrosecond);
    for (const Handle& task : tasks) {
        sched.remove(task.task(), Wake::timeout);
        sched.ready().push(task.task());
    }
    run_ready(sched);
    CHECK(first == &tasks[1].task());
}

TEST_CASE("4.2 the earlier deadline precedes the later, whatever the orders") {
    INFO("the order of two tasks is compared only if their deadlines are equal");
    Scheduler sched;
    const Handle early = go([] {}), late = go([] {});
    early.task().deadline = 10;
    early.task().order = 2;
    late.task().deadline = 20;
    late.task().order = 1;
    CHECK(sleeps_before(early.task(), late.task()));
    CHECK_FALSE(sleeps_before(late.task(), early.task()));
    CHECK_FALSE(sleeps_before(early.task(), early.task()));
    run_ready(sched);
}

TEST_CASE("4.2 no task wakes before its deadline, and a task whose deadline is now has expired") {
    EXPECTS("remove takes a task out of the sleep tree: a task that stays there expires again and again");
    INFO("the deadline is now plus the duration; a task has expired when now is not before its deadline");
    Scheduler sched;
    std::uint64_t began = 0, ended = 0;
    const Handle handle = go("sleeper", [&] {
        began = kit::now();
        sleep_for(12 * kMicrosecond);
        ended = kit::now();
    });
    run_ready(sched);
    {
        INFO("a sleep leaves the task sleeping, and insert_sleeping puts it into the sleep tree");
        REQUIRE(handle.task().status() == State::sleeping);
        REQUIRE(sched.sleeping().contains(handle.task()));
    }
    const std::uint64_t deadline = handle.task().deadline;
    CHECK(deadline == began + 12 * kMicrosecond);
    CHECK(sched.expired(deadline - 1) == nullptr);
    REQUIRE(sched.expired(deadline) == &handle.task());
    INFO("the query does not remove it");
    CHECK(sched.sleeping().size() == 1);
    run_sleepers(sched);
    CHECK(ended >= deadline);
}

TEST_CASE("4.2 a sleep of 0 is a yield") {
    INFO("a sleep of 0 goes through no tree: the task yields, ready");
    Scheduler sched;
    Log log;
    Wake woken = Wake::cancelled;
    const Handle zero = go("zero", [&] {
        log.emplace_back("before");
        woken = sleep_for(0);
        log.emplace_back("after");
    });
    go([&] { log.emplace_back("other"); }, "other");
    sched.resume(*sched.ready().pop());
    CHECK(zero.task().status() == State::ready);
    CHECK(sched.sleeping().empty());
    run_ready(sched);
    CHECK(log == Log{"before", "other", "after"});
    INFO("it returns timeout, not the result of an earlier sleep: a yield does not write `woken`");
    CHECK(woken == Wake::timeout);
}

TEST_CASE("4.2 a sleep forever never ends, and time does not overflow") {
    INFO("a sum that overflows becomes kNever, not a small number");
    kit::work(kMicrosecond);
    Scheduler sched;
    const Handle handle = go([] { sleep_for(kNever - 5); }, "hermit");
    run_ready(sched);
    CHECK(handle.task().deadline == kNever);
    CHECK(sched.expired(kNever - 1) == nullptr);
}

TEST_CASE("4.2 a removed task is in no tree, and its wake reason is set") {
    INFO("remove takes the task out of the tree and stores why it is woken");
    Scheduler sched;
    Wake woken = Wake::timeout;
    const Handle handle = go([&] { woken = sleep_for(50 * kMicrosecond); }, "sleeper");
    run_ready(sched);
    CHECK(sched.sleeping().contains(handle.task()));
    CHECK(english_of(why_not_running(handle.task())) == "sleeps until 50.1 µs");
    sched.remove(handle.task(), Wake::cancelled);
    CHECK(sched.sleeping().empty());
    CHECK(sched.make_ready(handle.task(), Cause::cancel));
    run_ready(sched);
    CHECK(woken == Wake::cancelled);
    INFO("removing a task that is in no tree changes nothing");
    const Handle other = go([] {}, "other");
    sched.remove(other.task(), Wake::event);
    CHECK(other.task().status() == State::ready);
    run_ready(sched);
}

TEST_CASE("4.2 the reason is stored even for a task that is in no tree") {
    INFO("remove stores the reason even if the task is in no tree: a parked task without a limit is in none");
    Scheduler sched;
    const Handle handle = go([] {});
    for (const Wake why : {Wake::event, Wake::cancelled, Wake::timeout}) {
        sched.remove(handle.task(), why);
        CHECK(handle.task().woken == why);
    }
    run_ready(sched);
}

TEST_CASE("4.2 after a cancelled wait, later waits return their own reasons") {
    INFO("remove stores the reason each time, and overwrites an earlier one");
    Scheduler sched;
    std::vector<Wake> woken;
    const Handle handle = go([&] {
        for (int i = 0; i < 4; ++i) woken.push_back(sleep_for(50 * kMicrosecond));
    });
    const std::vector<Wake> told{Wake::cancelled, Wake::timeout, Wake::event, Wake::timeout};
    for (const Wake wake : told) {
        run_ready(sched);
        sched.remove(handle.task(), wake);
        sched.make_ready(handle.task(), Cause::signal);
    }
    run_ready(sched);
    CHECK(woken == told);
}

TEST_CASE("4.2 the sleep tree in the trace is a red-black tree at every step") {
    INFO("insert and remove change the tree only through its own operations");
    const trace::Trace recorded = trace_of("sleeping", [] {
        Scheduler sched;
        for (std::uint64_t i = 0; i < 40; ++i)
            go("sleeper", [i] {
                for (std::uint64_t n = 0; n < 3; ++n) sleep_for(1 + (i * 37 + n * 11) % 23 * kMicrosecond);
            });
        run_sleepers(sched);
    });
    CHECK(count(recorded, trace::Kind::insert, "sleeping") == 120);
    CHECK(count(recorded, trace::Kind::remove, "sleeping") == 120);
    CHECK(count(recorded, trace::Kind::link, "sleeping") > 1000);
}

TEST_CASE("4.2 a deadline in the far future has not expired") {
    INFO("times are unsigned: as signed numbers the latest deadlines would have passed");
    for (const std::uint64_t ns : {kNever, kNever - 2 * kMicrosecond, kNever / 2 + 2}) {
        Scheduler sched;
        const Handle sleeper = go([ns] { sleep_for(ns); });
        run_ready(sched);
        CHECK(sched.sleeping().first() == &sleeper.task());
        CHECK(sched.expired(kit::now()) == nullptr);
    }
}
