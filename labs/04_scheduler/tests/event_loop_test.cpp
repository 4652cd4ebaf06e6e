// Step 4.9: libco's event loop.
#define FIBERSCOPE_STEP "4.9"
#define FIBERSCOPE_STRATEGY "libco"
#include "labs/04_scheduler/tests/strategies/strategies.h"

#include <thread>

#include "labs/04_scheduler/event_loop.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/report/notes.h"

namespace {

/// The sets that a task entered and left, in order: "+ready", "-ready", …
Log steps_of(const trace::Trace& recorded, const std::string& name) {
    Log steps;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const bool enters = recorded[i].kind == trace::Kind::insert;
        if (!enters && recorded[i].kind != trace::Kind::remove) continue;
        if (recorded.name(recorded[i].co) == name)
            steps.push_back((enters ? "+" : "-") + std::string(recorded.set_name(recorded[i].set).bytes()));
    }
    return steps;
}

Log called;  // the functions of items that were called

void prepare_and_tell(Scheduler& sched, Task& task, const Event& event) {
    called.push_back("prepare fd " + std::to_string(event.fd));
    on_poll_prepare(sched, task, event);
}
void process_and_tell(Scheduler& sched, Task& task) {
    called.push_back("process " + task.core().name());
    on_poll_process(sched, task);
}

/// Calls `act` on another thread; returns the message of the Misuse that it throws.
template <class F>
std::optional<kit::Misuse> misuse_on_another_thread(F act) {
    std::optional<kit::Misuse> misuse;
    std::thread other([&] { misuse = misuse_of(act); });
    other.join();
    return misuse;
}

}  // namespace

TEST_CASE("4.9 expired tasks are queued after tasks that yielded") {
    INFO("a round appends first the events and then the time-outs to the list, after the tasks that are already ready");
    CHECK(turns_of_yielders_and_a_sleeper() == Log{"a", "b", "a", "b", "sleeper"});
}

TEST_CASE("4.9 an event beats a time-out of the same round: events are prepared first") {
    INFO("a round prepares the events before it takes the time-outs out of the store");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    Wake woken = Wake::cancelled;
    go([&] { woken = wait_readable(7, 10 * kMicrosecond); }, "reader");
    go([] { kit::work(20 * kMicrosecond); }, "hog");
    CHECK(stand.sched.run().empty());
    INFO("at the end of the hog's turn both are due: the event has occurred and the limit has passed");
    CHECK(woken == Wake::event);
}

TEST_CASE("4.9 a task that is taken out too early goes back into the store, and is woken on time") {
    INFO("the store works in ticks: a task that it yields too early goes back, and is not woken");
    constexpr std::uint64_t last_of_tick = 21 * kTick - 1;
    const trace::Trace recorded = trace_of("put_back", [] {
        Stand stand;
        std::uint64_t early = 0, late = 0;
        go("early", [&] {
            sleep_for(20 * kTick + 100 - kit::now());
            early = kit::now();
        });
        go("late", [&] {
            sleep_for(last_of_tick - kit::now());
            late = kit::now();
        });
        static_cast<void>(stand.sched.run());
        if (early >= last_of_tick || late < last_of_tick) std::abort();
    });
    check_same(steps_of(recorded, "early"),
               Log{"+ready", "-ready", "+sleeping", "-sleeping", "+time-outs", "-time-outs", "+ready", "-ready"});
    INFO("both are in one tick, so both are taken out when the first is due");
    check_same(steps_of(recorded, "late"),
               Log{"+ready", "-ready", "+sleeping", "-sleeping", "+time-outs", "-time-outs", "+sleeping", "-sleeping",
                   "+time-outs", "-time-outs", "+ready", "-ready"});
}

TEST_CASE("4.9 a task that is put back keeps its place in the wait tree") {
    INFO(
        "put it back with sleeping().insert: insert_sleeping would give it a new order, which the wait tree does "
        "not know");
    Stand stand;
    std::uint64_t before = 0, behind = 0;
    const Handle waits = go([] { wait_readable(7, 21 * kTick - 1 - kit::now()); }, "waits");
    go([&] {
        before = waits.task().order;
        sleep_for(20 * kTick + 100 - kit::now());
        behind = waits.task().order;
    });
    CHECK(stand.sched.run().empty());
    CHECK(before > 0);
    CHECK(behind == before);
}

TEST_CASE("4.9 a task that is put back is not marked as timed out") {
    INFO("compare the deadline first: a task that goes back into the store does not get Wake::timeout");
    Stand stand;
    Handle late;
    bool asleep = false, told = false;
    event_loop_of(stand.sched).on_round([&] {
        if (late.done() || late.task().status() != State::sleeping) return 0;
        asleep = true;
        told = told || late.task().woken == Wake::timeout;
        return 0;
    });
    go([&] { sleep_for(20 * kTick + 100 - kit::now()); }, "early");
    late = go([&] { sleep_for(20 * kTick + 900 - kit::now()); }, "late");
    CHECK(stand.sched.run().empty());
    CHECK(asleep);
    CHECK_FALSE(told);
    CHECK(late.task().woken == Wake::timeout);
}

TEST_CASE("4.9 a time-out takes a task that waits with a limit out of both sets") {
    EXPECTS("the end of a wait, by event or by time-out, takes the task out of the waiting set and of the store");
    Stand stand;
    Wake first = Wake::cancelled, second = Wake::cancelled;
    bool in_no_set = false;
    stand.io.becomes_ready(7, Want::read, 30 * kMicrosecond);
    go("reader", [&] {
        first = wait_readable(7, 10 * kMicrosecond);
        in_no_set = stand.sched.waiting().empty() && stand.sched.sleeping().empty();
        if (in_no_set) second = wait_readable(7);
    });
    CHECK(stand.sched.run().empty());
    CHECK(first == Wake::timeout);
    CHECK(in_no_set);
    CHECK(second == Wake::event);
}

TEST_CASE("4.9 the trace records the cause of each wake") {
    INFO("pass the cause to make_ready: a deadline for a task of the time-out list, an event for a prepared one");
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    Log causes;
    for (const trace::Event& e : all_of(recorded, trace::Kind::state))
        causes.push_back(recorded.name(e.co) + " " + std::string(word(e.third<Cause>())));
    CHECK(causes == Log{"reader spawned", "sleeper spawned", "reader event", "sleeper deadline"});
}

TEST_CASE("4.9 a later tick stays in the store") {
    INFO("take only tasks of the ticks up to now out of the store");
    const trace::Trace recorded = trace_of("later_tick", [] {
        Stand stand;
        for (const std::uint64_t until : {20 * kTick + 500, 21 * kTick})
            go([until] { sleep_for(kit::time_left(until)); }, "sleeper");
        static_cast<void>(stand.sched.run());
    });
    CHECK(count(recorded, trace::Kind::insert, "time-outs") == 2);
}

TEST_CASE("4.9 the loop calls the two functions of each item: prepare at its event, process at its turn") {
    INFO(
        "prepare and process are pointers in the item: call the current ones, prepare at the event, process at the "
        "task's turn");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    const Handle reader = go([] { wait_readable(7); }, "reader");
    const Handle sleeper = go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
    for (const Handle& handle : {reader, sleeper}) {
        CHECK(handle.task().loop_item().prepare == &on_poll_prepare);
        CHECK(handle.task().loop_item().process == &on_poll_process);
        handle.task().loop_item() = {prepare_and_tell, process_and_tell};
    }
    CHECK(stand.sched.run().empty());
    CHECK(called == Log{"process reader", "process sleeper", "prepare fd 7", "process reader", "process sleeper"});
}

TEST_CASE("4.9 prepare runs no task: a task with an event goes through the active list") {
    INFO("prepare puts the task on the active list; the list's turn makes it run");
    check_same(steps_of(trace_of_a_reader_and_a_sleeper(), "reader"),
               Log{"+ready", "-ready", "+waiting", "-waiting", "+ready", "-ready"});
}

TEST_CASE("4.9 the function of each round is called at its end, and -1 ends the loop") {
    INFO("call the function at the end of each round and return at -1, even if tasks are left");
    Stand stand;
    int rounds = 0, turns = 0;
    Log log;
    event_loop_of(stand.sched).on_round([&] {
        log.push_back(std::to_string(turns));
        return ++rounds == 3 ? -1 : -1 - rounds;
    });
    go("yielder", [&] {
        for (int i = 0; i < 5; ++i) {
            ++turns;
            yield();
        }
    });
    CHECK(stand.sched.run().empty());
    INFO("one turn of the yielder, then the function; its third call returns -1, and no other value ends the loop");
    CHECK(log == Log{"1", "2", "3"});
    CHECK(stand.sched.alive() == 1);

    event_loop_of(stand.sched).on_round({});
    CHECK(stand.sched.run().empty());
    INFO("tasks that were alive continue in the next run");
    CHECK(turns == 5);
    CHECK(stand.sched.alive() == 0);
}

TEST_CASE("4.9 an exception of the function of each round leaves run") {
    INFO("do not catch what the function throws: the next run starts as the first did");
    Stand stand;
    event_loop_of(stand.sched).on_round([]() -> int { throw std::runtime_error("enough"); });
    go([] { yield(); }, "yielder");
    CHECK_THROWS_WITH(stand.sched.run(), "enough");
    event_loop_of(stand.sched).on_round({});
    CHECK(stand.sched.run().empty());
}

TEST_CASE("4.9 the main coroutine resumes the others, and never yields") {
    const trace::Trace recorded = trace_of_a_reader_and_a_sleeper();
    int switches = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i].kind != trace::Kind::switch_ || recorded[i].co != 0) continue;
        INFO(kit::told(message("event {0}", i + 1)));
        const auto why = recorded[i].first<trace::Why>();
        CHECK((why == trace::Why::start || why == trace::Why::resume));
        ++switches;
    }
    INFO("each of the two tasks is resumed when it begins and when its wait has ended");
    CHECK(switches == 4);
}

TEST_CASE("4.9 its coroutines are bound to their thread: resuming one elsewhere is a typed error") {
    INFO("libco keeps one environment per thread: resume compares the threads before it changes anything");
    Stand stand;
    const Handle handle = go([&] { stand.log.emplace_back("ran"); }, "homely");
    const auto misuse = misuse_on_another_thread([&] {
        Scheduler other;
        other.resume(handle.task());
    });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == kit::MisuseKind::bound_to_thread);
    CHECK(misuse->name() == "homely");
    CHECK(stand.log.empty());
    INFO("nothing has changed: on its own thread it continues");
    CHECK(stand.sched.run().empty());
    CHECK(stand.log == Log{"ran"});
}

TEST_CASE("4.9 no task is woken, cancelled or joined from another thread") {
    INFO("waking, cancelling and joining change the sets of the task's own thread: other threads are refused");
    Stand stand;
    const Handle handle = go([] { park("a sign"); }, "homely");
    CHECK_THROWS_AS(stand.sched.run(), Stuck);
    const auto woken = misuse_on_another_thread([&] { wake(handle); });
    const auto cancelled = misuse_on_another_thread([&] { cancel(handle); });
    std::optional<kit::Misuse> joined;
    std::thread other([&] {
        Scheduler there;
        go([&] { joined = misuse_of([&] { join(handle); }); }, "joiner");
        static_cast<void>(there.run());
    });
    other.join();
    for (const auto& misuse : {woken, cancelled, joined}) {
        REQUIRE(misuse.has_value());
        CHECK(misuse->kind() == kit::MisuseKind::bound_to_thread);
    }
    CHECK(handle.task().status() == State::waiting);
    CHECK(wake(handle));
    CHECK(stand.sched.run().empty());
}

TEST_CASE("4.9 the workloads give the same results as with producers and a consumer") {
    check_same_work_as("producer_consumer");
}

TEST_CASE("4.9 only a scheduler with this strategy has an event loop") {
    INFO("event_loop_of checks the strategy, and refuses any other");
    {
        Stand stand;
        event_loop_of(stand.sched).on_round([] { return -1; });
        bool ran = false;
        go("yielder", [&ran] {
            ran = true;
            yield();
        });
        CHECK(stand.sched.run().empty());
        CHECK(ran);
        CHECK(stand.sched.alive() == 1);
    }
    Scheduler sched(Settings{.strategy = "producer_consumer"});
    CHECK_THROWS_AS(event_loop_of(sched), std::logic_error);
}

TEST_CASE("4.9 a replay shows the wheel: the slot of each sleeper, and the hand") {
    INFO("the wheel records its hand when it turns; it has no links as a tree has");
    const trace::Trace recorded = trace_of("wheel", [] {
        SimulatedSource io;
        Scheduler sched(Settings{.strategy = "libco", .source = &io, .sleep_by = SleepBy::wheel});
        for (const std::uint64_t ms : {5UL, 2UL, 70'000UL}) go([ms] { sleep_for(ms * 1000 * kMicrosecond); });
        static_cast<void>(sched.run());
    });
    CHECK(count(recorded, trace::Kind::hand, "sleeping") == 4);  // also backwards, for a deadline before all others
    CHECK(count(recorded, trace::Kind::link, "sleeping") == 0);
}
