// Step 4.19: the tests for every strategy, on two machines with deques; which G a machine takes next; real threads.
#define FIBERSCOPE_STEP "4.19"
#define FIBERSCOPE_STRATEGY "deque"
#define FIBERSCOPE_MACHINES 2
#include "labs/04_scheduler/tests/strategies/strategies.h"

#include "labs/04_scheduler/beyond/deque/tests/deque.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/04_scheduler/tests/strategies/stealing.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/allocations.h"
#include "labs/kit/testing/held.h"

namespace {

/// Deques of machines without threads.
struct Machines {
    explicit Machines(int gs_in_all, unsigned machines = 2) : gs(gs_in_all, machines), deques(machines) {}

    void insert(unsigned machine, int from, int to) {
        for (int i = from; i <= to; ++i) deques.own(machine).gs.insert(gs[static_cast<std::size_t>(i)]);
    }
    void insert_global(int number) { gs.sched.ready().push(gs[static_cast<std::size_t>(number)]); }
    void push_local(Machine& machine, int number) {
        deques.push_local(gs.sched.shared(), machine, gs[static_cast<std::size_t>(number)]);
    }
    int next(Machine& machine) { return gs.number(deques.next(gs.sched.shared(), machine)); }
    /// Returns the next G in turn `turn` of eight.
    int next_in_turn(Machine& machine, unsigned turn) {
        deques.own(machine.index).turns = turn - 1;
        return next(machine);
    }
    ~Machines() {
        while (gs.sched.ready().pop() != nullptr) continue;
    }

    IdleGs gs;
    GoDeques deques;
    Machine first{&gs.sched, 0}, second{&gs.sched, 1};
};

}  // namespace

TEST_CASE("4.19 a machine takes the newest G of its deque, and after a yield the oldest") {
    INFO("newest: the G spawned last has its memory in the cache");
    Machines two(5);
    two.insert(0, 0, 4);
    CHECK(two.next_in_turn(two.first, 1) == 4);
    CHECK(two.next_in_turn(two.first, 2) == 3);
    INFO("oldest_first: the newest has just yielded, and would be resumed again and again");
    two.deques.own(0).oldest_first = 1;
    CHECK(two.next_in_turn(two.first, 3) == 0);
    INFO("next decrements it: that was one turn");
    CHECK(two.next_in_turn(two.first, 5) == 2);
}

TEST_CASE("4.19 in one of eight turns the oldest G comes first, in another one the global queue") {
    Machines two(5);
    two.insert(0, 0, 2);
    two.insert_global(3);
    two.insert_global(4);
    INFO("Gs that end and spawn others must not keep the oldest waiting: turn kOldest of kGlobalFirst");
    CHECK(two.next_in_turn(two.first, GoDeques::kOldest) == 0);
    CHECK(two.next_in_turn(two.first, GoDeques::kGlobalFirst + GoDeques::kOldest) == 1);
    INFO("woken Gs, in the global queue, must not wait either: turn 0 of kGlobalFirst, even after a yield");
    two.deques.own(0).oldest_first = 1;
    CHECK(two.next_in_turn(two.first, GoDeques::kGlobalFirst) == 3);
    two.deques.own(0).oldest_first = 0;
    INFO("in all other turns the global queue comes after the deque");
    CHECK(two.next_in_turn(two.first, 1) == 2);
    CHECK(two.next_in_turn(two.first, 2) == 4);
    INFO("if the global queue is empty, the deque has that turn, too");
    two.insert(0, 0, 0);
    CHECK(two.next_in_turn(two.first, GoDeques::kGlobalFirst) == 0);
    INFO("if the deque is empty, the global queue has the turn of the oldest");
    two.insert_global(1);
    CHECK(two.next_in_turn(two.first, GoDeques::kOldest) == 1);
    CHECK(two.next(two.first) == kNone);
}

TEST_CASE("4.19 after a yield the queued Gs run first, then the yielding G, then the newest again") {
    Machines two(7);
    two.insert(0, 0, 1);
    two.push_local(two.first, 2);
    two.insert(0, 3, 6);
    two.deques.own(0).turns = GoDeques::kOldest - 2;
    INFO("push_local: count the G that yields, too; otherwise Gs spawned after it come before it");
    for (const int oldest : {0, 1, 2}) CHECK(two.next(two.first) == oldest);
    INFO("next: the turn of the oldest counts for oldest_first");
    CHECK(two.next(two.first) == 6);
    INFO("push_local: the current number of Gs, not added to that of the last yield");
    two.push_local(two.first, 6);
    two.push_local(two.first, 6);
    CHECK(two.deques.own(0).oldest_first == two.deques.own(0).gs.size());
}

TEST_CASE("4.19 next counts the turns of its machine") {
    INFO("++turns each time: in eight turns the global queue is searched once before the deque");
    Machines two(18);
    two.insert(0, 0, 8);
    for (int i = 9; i < 18; ++i) two.insert_global(i);
    int global = 0;
    for (int turn = 0; turn < 9; ++turn) global += two.next(two.first) >= 9 ? 1 : 0;
    CHECK(global == 1);
    while (two.next(two.first) != kNone) continue;
}

TEST_CASE("4.19 a machine without Gs steals another machine's oldest G, but never its last") {
    INFO("steal_from_others, if neither its own deque nor the global queue has one; the last one is its owner's");
    Machines two(4);
    two.insert(0, 0, 1);
    two.insert_global(2);
    two.insert(1, 3, 3);
    CHECK(two.next_in_turn(two.second, 1) == 3);
    CHECK(two.next_in_turn(two.second, 2) == 2);
    CHECK(two.next_in_turn(two.second, 3) == 0);
    CHECK(two.next_in_turn(two.second, 5) == kNone);
    CHECK(two.next_in_turn(two.first, 1) == 1);
}

TEST_CASE("4.19 a thief takes the older half of a deque, and runs its first G") {
    for (const int count : {5, 8}) {
        INFO(kit::told(message(
            "of {0} Gs {1}, half of the initial number: call take_oldest for half of size(); the first is returned, "
            "the others are inserted into its own deque",
            count, count / 2)));
        Machines two(count);
        two.insert(0, 0, count - 1);
        CHECK(two.next_in_turn(two.second, 1) == 0);
        CHECK(two.deques.own(0).gs.size() == static_cast<std::size_t>(count - count / 2));
        CHECK(two.deques.own(1).gs.size() == static_cast<std::size_t>(count / 2 - 1));
        CHECK(two.next_in_turn(two.second, 2) == count / 2 - 1);
        for (Machine* one : {&two.first, &two.second})
            while (two.next(*one) != kNone) continue;
    }
}

TEST_CASE("4.19 a thief starts with its neighbour, and then tries all others") {
    INFO("steal_from_others: machine 1 starts with 2; if all started with 0, all would meet at its top");
    Machines three(4, 3);
    three.insert(0, 0, 1);
    three.insert(2, 2, 3);
    CHECK(three.next_in_turn(three.second, 1) == 2);
    INFO("if half is 0, it continues, around to machine 0");
    CHECK(three.next_in_turn(three.second, 2) == 0);
    CHECK(three.next_in_turn(three.second, 3) == kNone);
}

TEST_CASE("4.19 the trace records from which machine Gs were stolen, and how many") {
    const trace::Trace recorded = trace_of("deque_steals", [] {
        Scheduler sched(Settings{.strategy = "deque", .machines = 2});
        go([] { go_workers(6, 4, 5 * kMicrosecond); }, "root");
        static_cast<void>(sched.run());
    });
    INFO("steal_from_others calls record_steal when it has stolen one");
    CHECK(count_machine(recorded, trace::MachineOp::steal) > 0);
    INFO("pass the victim and the number of Gs to record_steal, including the first");
    for (const trace::Event& event : all_of(recorded, trace::Kind::machine)) {
        if (event.first<trace::MachineOp>() != trace::MachineOp::steal) continue;
        CHECK(event.other != event.m);
        CHECK(event.x >= 1);
    }
}

TEST_CASE("4.19 a machine takes nothing from other machines while it is not worth it") {
    INFO("next asks worth_helping before steal_from_others: handing over short Gs takes longer than running them");
    record_nothing();
    bool judged = false;
    int got = kNone;
    // If the OS preempts the thread, a pause may end: then the next try counts.
    for (int tries = 0; tries < 1000 && !judged; ++tries) {
        Machines two(4);
        use_real_time();
        two.insert(0, 0, 3);
        for (int turns = 0; turns < 10'000 && WorkerPool::worth_helping(two.second); ++turns) {
            two.second.throttle.begin_turn();
            two.second.throttle.end_turn();
        }
        const bool not_worth = !WorkerPool::worth_helping(two.second);
        got = two.next(two.second);
        judged = not_worth && !WorkerPool::worth_helping(two.second);
    }
    REQUIRE(judged);
    CHECK(got == kNone);
    INFO("a machine that has no measurements yet takes the oldest");
    Machines two(2);
    two.insert(0, 0, 1);
    CHECK(two.next(two.second) == 0);
}

TEST_CASE("4.19 the second G in a deque is worth unparking another machine") {
    Machines two(2);
    std::size_t parked_beside_one = 0;
    const auto body = [&](Machine& machine) {
        WorkerPool& shared = two.gs.sched.shared();
        if (machine.index == 1) return two.deques.park(shared, machine);
        while (shared.idle() == 0) kit::work(1);
        two.deques.push_local(shared, machine, two.gs[0]);
        parked_beside_one = shared.idle();
        two.deques.push_local(shared, machine, two.gs[1]);
    };
    INFO(
        "push_local: the last one is its owner's; of two, one can be stolen, so call unpark_one: otherwise machine "
        "1 sleeps");
    CHECK_NOTHROW(two.gs.sched.shared().run_on_machines(2, body));
    CHECK(parked_beside_one == 1);
}

TEST_CASE("4.19 the scheduler's lock is acquired to unpark a machine, and not for each yield") {
    Machines two(3);
    WorkerPool& shared = two.gs.sched.shared();
    bool waited_for_nobody = true, waited_for_one = false;
    shared.run_on_machines(2, [&](Machine& machine) {
        if (machine.index != 0) return;
        two.push_local(machine, 0);
        // If the OS preempts the thread, the lock may be released: then the next try counts.
        for (int tries = 0; tries < 20 && waited_for_nobody; ++tries)
            waited_for_nobody = kit::testing::waits_for(shared.lock(), [&] { two.push_local(machine, 1); });
        {
            const SchedulerLock held(shared);
            shared.announce_idle(machine);
        }
        waited_for_one = kit::testing::waits_for(shared.lock(), [&] { two.push_local(machine, 2); });
        const SchedulerLock held(shared);
        shared.cancel_idle(machine);
    });
    INFO("push_local: unpark_one changes the list of parked machines, so use SchedulerLock");
    CHECK(waited_for_one);
    INFO("push_local: check idle() before you acquire the lock");
    CHECK_FALSE(waited_for_nobody);
}

TEST_CASE("4.19 a G that yields lets all Gs that it has spawned go first, not only one") {
    INFO("push_local: oldest_first is the number of Gs in the deque, including the one that yields");
    record_nothing();
    int ended = 0;
    std::vector<int> seen;
    Scheduler sched(Settings{.strategy = "deque"});
    go([&] {
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < 40; ++i) go([&ended] { ++ended; });
            yield();
            seen.push_back(ended);
        }
    });
    CHECK(sched.run().empty());
    CHECK(seen == std::vector<int>{40, 80, 120});
}

TEST_CASE("4.19 two Gs that yield take turns, even while other Gs are spawned all the time") {
    EXPECTS("after a yield the oldest is next, and in one turn of eight as well");
    record_nothing();
    Log log;
    int begun = 0, left = 2;
    const std::function<void()> chain = [&] {
        kit::work(kMicrosecond);
        if (++begun < 500 && left > 0) go(chain);
    };
    Scheduler sched(Settings{.strategy = "deque"});
    go([&] {
        for (const char* name : {"a", "b"})
            go([&log, &left, name] {
                for (int i = 0; i < 3; ++i) {
                    log.emplace_back(name);
                    yield();
                }
                --left;
            });
        go(chain);
    });
    CHECK(sched.run().empty());
    {
        INFO("the chain of Gs that end and spawn the next one must not run to its end first");
        CHECK(begun < 100);
    }
    INFO("after a yield the oldest is next, and in one turn of eight as well");
    REQUIRE(log.size() == 6);
    for (std::size_t i = 1; i < log.size(); ++i) CHECK(log[i] != log[i - 1]);
}

namespace {

/// Runs `act` with memory for `left` more allocations. Returns false if it threw.
bool with_little_memory(std::size_t left, const std::function<void()>& act) {
    try {
        const kit::testing::AllocationLimit little(left);
        act();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

/// The Gs in the deques of two machines and in the global queue, and `other`: by number, in order.
Numbers all_of(Machines& two, int other = kNone) {
    Numbers found;
    if (other != kNone) found.push_back(other);
    for (const unsigned machine : {0U, 1U})
        while (Task* g = two.deques.own(machine).gs.take_oldest()) found.push_back(two.gs.number(g));
    while (Task* g = two.gs.sched.ready().pop()) found.push_back(two.gs.number(g));
    std::ranges::sort(found);
    return found;
}

constexpr int kFull = static_cast<int>(Deque::kCapacity);
Numbers first_numbers(int count) {
    Numbers all;
    for (int i = 0; i < count; ++i) all.push_back(i);
    return all;
}

}  // namespace

TEST_CASE("4.19 a thief that cannot allocate a larger ring loses none of its Gs") {
    if (kit::testing::left_out_where_memory_never_ends()) return;
    record_nothing();
    for (std::size_t left = 0; left < 4; ++left) {
        INFO("steal_from_others: insert(thief, g) puts Gs that do not fit into the global queue");
        Machines two(4 * kFull);
        two.insert(0, 0, 4 * kFull - 1);
        int first = kNone;
        CHECK(with_little_memory(left, [&] { first = two.next_in_turn(two.second, 1); }));
        CHECK(first == 0);
        CHECK(all_of(two, first) == first_numbers(4 * kFull));
    }
}

TEST_CASE("4.19 a G that yields when no larger ring can be allocated is not lost") {
    if (kit::testing::left_out_where_memory_never_ends()) return;
    record_nothing();
    for (std::size_t left = 0; left < 4; ++left) {
        INFO("push_local: insert(machine, g) puts it into the global queue if it does not fit");
        Machines two(kFull + 1);
        two.insert(0, 0, kFull - 1);
        CHECK(with_little_memory(left, [&] { two.push_local(two.first, kFull); }));
        CHECK(all_of(two) == first_numbers(kFull + 1));
    }
}

TEST_CASE("4.19 more machines take less virtual time, reproducibly to the nanosecond") { check_speed_up("deque"); }

TEST_CASE("4.19 very many short-lived Gs on real threads, 2 to 8 machines: each runs once, and none is lost") {
    EXPECTS("each G leaves a deque once: by pop, or by the one steal whose compare-exchange of top succeeds");
    check_short_lives_on_threads("deque");
}

TEST_CASE("4.19 on real threads as well: the traces of all workloads keep every rule") {
    check_traces_on_threads("deque");
}
