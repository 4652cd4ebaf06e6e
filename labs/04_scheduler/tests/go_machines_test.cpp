// Step 4.8: machines that park and are unparked, in virtual time and on real threads; and the cost of stealing.
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/04_scheduler/tests/strategies/stealing.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/threads.h"
#include "labs/kit/testing/usual_turns.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.8 before it parks, a machine checks all queues once more") {
    Queues queues(2, 1);
    queues.fill(0, 3);
    LocalRunnable& mine = queues.gs.local(0).runnable;
    LocalRunnable& theirs = queues.gs.local(1).runnable;
    ReadyQueue& global = queues.sched.ready();
    std::size_t idle = 0;
    const auto park = [&] {
        queues.run([&](Machine& machine) {
            queues.gs.park(queues.shared, machine);
            idle = queues.shared.idle();
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
    INFO(
        "the last G of another machine's queue cannot be stolen: parking would be forever, as no machine is left "
        "to wake it");
    CHECK_THROWS_AS(park(), Stuck);
}

TEST_CASE("4.8 a machine does not park when no G is alive any more, since none would wake it") {
    INFO("the last G may have ended while this machine looked for one: ask alive() once more before you park");
    Queues queues(2, 1);
    bool came_back = false;
    std::size_t idle = 1;
    const auto park = [&] {
        queues.run([&](Machine& machine) {
            queues.gs.park(queues.shared, machine);
            came_back = true;
            idle = queues.shared.idle();
        });
    };
    CHECK_NOTHROW(park());
    CHECK(came_back);
    CHECK(idle == 0);
    queues.fill(1, 1);
    INFO("a G that is alive but cannot be stolen may wake another: then the machine parks");
    CHECK_THROWS_AS(park(), Stuck);
}

TEST_CASE("4.8 the second G in a machine's own queue is worth unparking another machine") {
    Queues queues(2);
    queues.fill(0, 2);
    Task* two[] = {queues.gs.local(0).runnable.pop(), queues.gs.local(0).runnable.pop()};
    std::size_t parked_beside_one = 0;
    const auto body = [&](Machine& machine) {
        if (machine.index == 1) return queues.gs.park(queues.shared, machine);
        while (queues.shared.idle() == 0) kit::work(1);
        queues.gs.push_local(queues.shared, machine, *two[0]);
        parked_beside_one = queues.shared.idle();
        queues.gs.push_local(queues.shared, machine, *two[1]);
    };
    INFO("the last G of a queue cannot be stolen, but one of two can: otherwise the other machine sleeps forever");
    CHECK_NOTHROW(queues.run(body));
    CHECK(parked_beside_one == 1);
}

TEST_CASE("4.8 a parked machine is unparked when there is work for it") {
    INFO("a machine that makes a G ready unparks a parked machine");
    const trace::Trace recorded = trace_of_machines("called", 3, [] {
        go("root", [] {
            kit::work(10 * kMicrosecond);  // the others have parked
            go_workers(6, 3, 10 * kMicrosecond);
        });
    });
    CHECK(count_machine(recorded, trace::MachineOp::park) >= 2);
    CHECK(count_machine(recorded, trace::MachineOp::unpark) >= 2);
    std::size_t on_others = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        on_others += recorded[i].kind == trace::Kind::switch_ && recorded[i].m != 0 ? 1U : 0U;
    CHECK(on_others > 6);
}

TEST_CASE("4.8 more machines take less virtual time, reproducibly to the nanosecond") { check_speed_up("go"); }

TEST_CASE("4.8 a million short-lived Gs on 2 to 8 machines: each runs once, and none is lost") {
    INFO("a G is in one queue at a time, and is taken out of it under that queue's lock");
    check_short_lives_on_threads("go");
}

TEST_CASE("4.8 on real threads as well: the traces of all workloads keep every rule") { check_traces_on_threads("go"); }

namespace {

/// Waits until it is true, at most ten seconds.
template <class Condition>
bool soon(Condition is_true) {
    const std::uint64_t limit = kit::now() + 10'000'000'000;
    while (!is_true()) {
        if (kit::now() > limit) return false;
        std::this_thread::yield();
    }
    return true;
}

}  // namespace

TEST_CASE("4.8 the global queue and the trees are accessed under the scheduler's lock only") {
    INFO("next takes the scheduler's lock before it looks at the global queue and at the trees");
    Queues queues(2, 2);
    use_real_time();
    queues.sched.go([] {});
    std::atomic<bool> looks{false};
    std::atomic<bool> has_looked{false};
    std::atomic<pid_t> other{0};
    bool waited = false;
    Task* g = nullptr;
    queues.run([&](Machine& machine) {
        if (machine.index == 1) {
            soon([&] { return looks.load(); });
            other = gettid();
            g = queues.gs.next(queues.shared, machine);
            has_looked = true;
            return;
        }
        queues.shared.lock().lock();
        looks = true;
        soon([&] { return has_looked || (other != 0 && kit::testing::sleeps(other)); });
        waited = !has_looked;
        queues.shared.lock().unlock();
    });
    CHECK(waited);
    REQUIRE(g != nullptr);
    queues.sched.ready().push(*g);
}

TEST_CASE("4.8 unparking a machine takes the scheduler's lock: another machine may be changing that list") {
    INFO("push_local takes the scheduler's lock (SchedulerLock) when there is a machine to unpark");
    Queues queues(2);
    queues.fill(0, 2);
    Task* const two[] = {queues.gs.local(0).runnable.pop(), queues.gs.local(0).runnable.pop()};
    bool waited = false;
    queues.run([&](Machine& machine) {
        if (machine.index != 0) return;
        queues.gs.push_local(queues.shared, machine, *two[0]);
        {
            const SchedulerLock held(queues.shared);
            queues.shared.announce_idle(machine);
        }
        waited = waits_for(queues.shared.lock(), [&] { queues.gs.push_local(queues.shared, machine, *two[1]); });
        const SchedulerLock held(queues.shared);
        queues.shared.cancel_idle(machine);
    });
    CHECK(waited);
}

// ---- thieves -------------------------------------------------------------------------------------------------------

namespace {

/// Counts the locks that machine 0 takes while it is counting.
struct CountsLocks : kit::testing::UsualTurns {
    bool counts = false;
    int taken = 0;
    void took(const void*, unsigned machine) override { taken += counts && machine == 0 ? 1 : 0; }
};

/// Returns the number of locks that a thief takes until it has found nothing on `machines` machines.
int locks_of_a_thief_that_finds_nothing(unsigned machines) {
    Queues queues(machines);
    CountsLocks locks;
    bool found = true;
    queues.run([&](Machine& machine) {
        if (machine.index != 0) return;
        locks.counts = true;
        found = queues.gs.steal(machine) != nullptr;
        locks.counts = false;
    });
    return found ? -1 : locks.taken;
}

}  // namespace

TEST_CASE("4.8 a thief that finds nothing has checked each other machine once") {
    INFO("one round over the others: a second look finds the same, and delays their owners");
    constexpr unsigned kMachines = 5;
    const int taken = locks_of_a_thief_that_finds_nothing(kMachines);
    CHECK(taken >= 0);
    INFO("at most the lock of each victim and the thief's own");
    CHECK(taken <= 2 * int(kMachines - 1));
    INFO("and it has checked the last one too");
    Queues queues(kMachines);
    queues.fill(kMachines - 1, 2);
    Machine thief{&queues.sched, 0};
    Task* stolen = queues.gs.steal(thief);
    REQUIRE(stolen != nullptr);
    queues.sched.ready().push(*stolen);
}

namespace {

/// Asks while machine 1 judges that helping is not worth it; four Gs are in machine 0's queue. Returns false if it
/// never judged so.
bool while_not_worth_it(const std::function<void(Queues&, Machine&)>& ask) {
    // If the OS preempts the thread, a pause may end: then the next try counts.
    for (int tries = 0; tries < 1000; ++tries) {
        Queues queues(2);
        use_real_time();
        queues.fill(0, 4);
        Machine thief{&queues.sched, 1};
        for (int turns = 0; turns < 10'000 && WorkerPool::worth_helping(thief); ++turns) {
            thief.throttle.begin_turn();
            thief.throttle.end_turn();
        }
        const bool not_worth = !WorkerPool::worth_helping(thief);
        ask(queues, thief);
        if (not_worth && !WorkerPool::worth_helping(thief)) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("4.8 a machine steals nothing while it is not worth it") {
    INFO("next asks worth_helping before it steals: handing over short Gs takes longer than running them");
    record_nothing();
    std::size_t left = 0;
    const bool judged = while_not_worth_it([&](Queues& queues, Machine& thief) {
        if (Task* g = queues.gs.next(queues.shared, thief)) queues.gs.local(1).runnable.push(*g);
        left = queues.gs.local(0).runnable.size();
    });
    REQUIRE(judged);
    CHECK(left == 4);
    INFO("a machine that has no measurements yet steals");
    Queues queues(2);
    queues.fill(0, 4);
    Machine fresh{&queues.sched, 1};
    Task* const stolen = queues.gs.next(queues.shared, fresh);
    CHECK(stolen != nullptr);
    if (stolen != nullptr) queues.gs.local(1).runnable.push(*stolen);
}

TEST_CASE("4.8 a machine parks although there are Gs that it would not steal") {
    INFO("any_work asks worth_helping too: Gs that next would not steal are no reason to stay awake");
    record_nothing();
    const auto has_work = [](Queues& queues, const Machine& machine) {
        const SchedulerLock held(queues.shared);
        return queues.gs.any_work(queues.shared, machine);
    };
    bool others = true, own = false;
    const bool judged = while_not_worth_it([&](Queues& queues, Machine& thief) {
        others = has_work(queues, thief);
        queues.fill(1, 1);
        own = has_work(queues, thief);
    });
    REQUIRE(judged);
    CHECK_FALSE(others);
    INFO("its own queue always counts");
    CHECK(own);
}
