// Step 6.2: the manager of alarms.
#include "labs/06_timers/manager.h"

#include <memory>
#include <stdexcept>

#include "labs/06_timers/tests/manager_desk.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {

std::uint64_t hand_made_time = 0;  // a clock that a test sets

using Desk = ManagerDesk;

}  // namespace

TEST_CASE("6.2 one-shot timers are called once, in order, at their time") {
    Desk desk;
    {
        INFO("told_ may be empty: check before you call it");
        desk.manager.add(20 * kMillisecond, desk.write("20"));
    }
    desk.manager.add(10 * kMillisecond, desk.write("10"));
    desk.manager.add(20 * kMillisecond, desk.write("20 too"));
    INFO("due alarms are called in order, each once");
    CHECK(desk.manager.next_deadline() == 10 * kMillisecond);
    CHECK(desk.manager.run_expired() == 0);
    kit::idle_until(20 * kMillisecond);
    CHECK(desk.manager.run_expired() == 3);
    CHECK(desk.log == Log{"10", "20", "20 too"});
    CHECK(desk.manager.run_expired() == 0);
    CHECK(desk.manager.size() == 0);
    CHECK(desk.manager.next_deadline() == kNever);
}

TEST_CASE("6.2 a recurring timer keeps its beat, even if it is called late") {
    Desk desk;
    std::vector<std::uint64_t> at;
    desk.manager.add(
        10 * kMillisecond, [&] { at.push_back(kit::now() / kMillisecond); }, Repeat::for_ever);
    {
        INFO("a recurring alarm is called repeatedly: do not move its callback out of the alarm");
        desk.run_until(30 * kMillisecond);
    }
    kit::idle_until(34 * kMillisecond);
    desk.run_until(40 * kMillisecond);
    kit::idle_until(75 * kMillisecond);
    INFO(
        "a call after three and a half beats has missed some: the timer is called once, and then keeps its beat again");
    CHECK(desk.manager.run_expired() == 1);
    CHECK(desk.manager.next_deadline() == 80 * kMillisecond);
    desk.run_until(90 * kMillisecond);
    CHECK(at == std::vector<std::uint64_t>{10, 20, 30, 40, 75, 80, 90});
    CHECK_THROWS_AS(desk.manager.add(
                        0, [] {}, Repeat::for_ever),
                    std::invalid_argument);
}

TEST_CASE("6.2 a cancelled timer is not called, and cancel returns true once") {
    Desk desk;
    const AlarmHandle a = desk.manager.add(10 * kMillisecond, desk.write("a"));
    const AlarmHandle b = desk.manager.add(10 * kMillisecond, desk.write("b"), Repeat::for_ever);
    const AlarmHandle c = desk.manager.add(10 * kMillisecond, desk.write("c"));
    INFO("cancel returns whether the alarm was set: false the second time, and after its call");
    CHECK(desk.manager.cancel(a));
    CHECK_FALSE(desk.manager.cancel(a));
    desk.run_until(10 * kMillisecond);
    CHECK(desk.manager.cancel(b));
    CHECK_FALSE(desk.manager.cancel(c));
    desk.run_until(50 * kMillisecond);
    CHECK(desk.log == Log{"b", "c"});
    CHECK(desk.manager.size() == 0);
}

TEST_CASE("6.2 a callback may cancel itself, and another alarm due with it") {
    EXPECTS("remove an alarm from due_ before you call it: its callback may change the list, or throw");
    Desk desk;
    AlarmHandle self, other;
    bool other_was_there = false;
    self = desk.manager.add(
        10 * kMillisecond,
        [&] {
            desk.log.emplace_back("self");
            if (desk.log.size() == 2) desk.manager.cancel(self);
            other_was_there = desk.manager.cancel(other) || other_was_there;
        },
        Repeat::for_ever);
    other = desk.manager.add(10 * kMillisecond, desk.write("other"));
    desk.run_until(100 * kMillisecond);
    INFO("other was due but not called yet: cancel returns true for it, although it is no longer in the store");
    CHECK(other_was_there);
    CHECK(desk.log == Log{"self", "self"});
}

TEST_CASE("6.2 refresh restarts the delay; reset changes it, from now or from the beginning") {
    Desk desk;
    const AlarmHandle alarm = desk.manager.add(50 * kMillisecond, desk.write("alarm"));
    kit::idle_until(20 * kMillisecond);
    INFO("refresh: the whole delay from now; reset: the new delay, from the beginning of the old one or from now");
    CHECK(desk.manager.refresh(alarm));
    CHECK(desk.manager.next_deadline() == 70 * kMillisecond);
    kit::idle_until(30 * kMillisecond);
    CHECK(desk.manager.reset(alarm, 35 * kMillisecond, From::beginning));
    CHECK(desk.manager.next_deadline() == 55 * kMillisecond);
    CHECK(desk.manager.reset(alarm, 35 * kMillisecond, From::now));
    CHECK(desk.manager.next_deadline() == 65 * kMillisecond);
    desk.run_until(100 * kMillisecond);
    CHECK(desk.log == Log{"alarm"});
    CHECK_FALSE(desk.manager.refresh(alarm));
    CHECK_FALSE(desk.manager.reset(alarm, 1, From::now));
    CHECK(desk.manager.next_deadline() == kNever);
}

TEST_CASE("6.2 a reset from the beginning whose time is already over is due at once") {
    INFO("the new delay starts where the old one began, even if it is already over");
    Desk desk;
    const AlarmHandle alarm = desk.manager.add(100 * kMillisecond, desk.write("called"));
    kit::idle_until(50 * kMillisecond);
    CHECK(desk.manager.reset(alarm, 20 * kMillisecond, From::beginning));
    desk.manager.run_expired();
    CHECK(desk.log == Log{"called"});
}

TEST_CASE("6.2 a condition timer calls nothing when its object is gone, and does not keep it alive") {
    Desk desk;
    auto stays = std::make_shared<int>(1);
    auto goes = std::make_shared<int>(2);
    desk.manager.add_condition(10 * kMillisecond, desk.write("stays"), stays);
    desk.manager.add_condition(10 * kMillisecond, desk.write("goes"), goes);
    INFO("the alarm holds a weak_ptr; a shared_ptr would keep the object alive");
    CHECK(goes.use_count() == 1);
    goes.reset();
    desk.run_until(10 * kMillisecond);
    CHECK(desk.log == Log{"stays"});
    CHECK(desk.manager.size() == 0);
}

TEST_CASE("6.2 all alarms expire if the clock is set back by more than an hour; by less, none") {
    constexpr std::uint64_t kHour = 3600 * kSecond;
    HeapStore store;
    hand_made_time = 10 * kHour;
    TimerManager manager(store, [] { return hand_made_time; });
    int called = 0;
    manager.run_expired();
    manager.add(kHour, [&] { ++called; });
    manager.add(
        kHour, [&] { ++called; }, Repeat::for_ever);
    INFO("exactly one hour is not more than an hour");
    hand_made_time -= kHour;
    CHECK(manager.run_expired() == 0);
    hand_made_time -= 2 * kHour;
    INFO("their deadlines are now hours away: the right time is unknown, so call them now");
    CHECK(manager.run_expired() == 2);
    CHECK(called == 2);
    INFO("a recurring alarm restarts its beat if the clock is before the time at which it began");
    CHECK(manager.next_deadline() == hand_made_time + kHour);
    INFO("the clock is set back once: the next call compares with this one, not with the latest time of all");
    CHECK(manager.run_expired() == 0);
}

TEST_CASE("6.2 a clock that goes back in small steps is not set back, however far it goes") {
    constexpr std::uint64_t kHour = 3600 * kSecond;
    HeapStore store;
    hand_made_time = 10 * kHour;
    TimerManager manager(store, [] { return hand_made_time; });
    int called = 0;
    manager.add(kDay, [&] { ++called; });
    manager.run_expired();
    INFO(
        "each call compares with the previous one, not with the latest time of all: store `now` even if it is smaller");
    for (int i = 0; i < 4; ++i) {
        hand_made_time -= kHour * 2 / 3;
        CHECK(manager.run_expired() == 0);
    }
    CHECK(called == 0);
    hand_made_time -= 2 * kHour;
    CHECK(manager.run_expired() == 1);
}

TEST_CASE("6.2 all due alarms are collected before the first is called") {
    Desk desk;
    std::size_t left_in_store = 99;
    desk.manager.add(10 * kMillisecond, [&] {
        left_in_store = desk.store.size();
        desk.manager.add(0, desk.write("added meanwhile"));
    });
    desk.manager.add(10 * kMillisecond, desk.write("second"));
    kit::idle_until(10 * kMillisecond);
    INFO("two alarms are due: run_expired collects both, calls both, and returns how many");
    CHECK(desk.manager.run_expired() == 2);
    CHECK(left_in_store == 0);
    INFO("otherwise a callback that sets itself again without a delay would be called forever");
    CHECK(desk.log == Log{"second"});
    CHECK(desk.manager.run_expired() == 1);
}

TEST_CASE("6.2 a run calls all due alarms, however many there are") {
    record_nothing();
    Desk desk;
    constexpr std::size_t kMany = 3'000;
    for (std::size_t i = 0; i < kMany; ++i) desk.manager.add((1 + i % 7) * kMillisecond, [] {});
    kit::idle_until(10 * kMillisecond);
    INFO("a run calls everything that is due: a timer left out would be late");
    CHECK(desk.manager.run_expired() == kMany);
    CHECK(desk.manager.size() == 0);
}

TEST_CASE("6.2 when a callback throws, the others are called by the next run") {
    Desk desk;
    desk.manager.add(10 * kMillisecond, desk.write("first"));
    desk.manager.add(10 * kMillisecond, [] { throw std::runtime_error("broken"); });
    desk.manager.add(10 * kMillisecond, desk.write("third"));
    kit::idle_until(10 * kMillisecond);
    INFO("the exception ends the run; the rest stays in due_ for the next run");
    CHECK_THROWS_AS(desk.manager.run_expired(), std::runtime_error);
    CHECK(desk.log == Log{"first"});
    INFO("an alarm leaves due_ before it is called: if it throws, it has been called, and is not called again");
    CHECK(desk.manager.size() == 1);
    CHECK(desk.manager.run_expired() == 1);
    CHECK(desk.log == Log{"first", "third"});
}

TEST_CASE("6.2 alarms outlive their manager, but are no longer called") {
    HeapStore store;
    AlarmHandle kept;
    auto witness = std::make_shared<int>(0);
    INFO("the destructor of a manager removes its alarms from the store and releases their callbacks");
    {
        TimerManager manager(store);
        kept = manager.add(10 * kMillisecond, [witness] {});
        manager.add(
            10 * kMillisecond, [witness] {}, Repeat::for_ever);
        CHECK(witness.use_count() == 3);
        CHECK(store.size() == 2);
    }
    CHECK(store.empty());
    CHECK(witness.use_count() == 2);
    kept.reset();
    CHECK(witness.use_count() == 1);
}

TEST_CASE("6.2 the trace shows when each alarm is due, and how often") {
    const trace::Trace recorded = trace_of("manager", [] {
        Desk desk;
        const AlarmHandle beat = desk.manager.add(
            10 * kMillisecond, [] {}, Repeat::for_ever);
        desk.manager.add(25 * kMillisecond, [] {});
        desk.run_until(30 * kMillisecond);
        desk.manager.reset(beat, 20 * kMillisecond, From::now);
        desk.manager.cancel(beat);
    });
    INFO("one alarm fires at 10, 20 and 30 ms and is then cancelled, the other fires at 25 ms");
    CHECK(count(recorded, trace::TimerOp::fire) == 4);
    CHECK(count(recorded, trace::TimerOp::cancel) == 1);
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::timer && recorded[i].first<trace::TimerOp>() == trace::TimerOp::fire)
            CHECK(recorded[i].t % (5 * kMillisecond) == 0);
    INFO("the new delay of a recurring alarm is also its period");
    std::int64_t period = trace::kAbsent;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::timer && recorded[i].first<trace::TimerOp>() == trace::TimerOp::refresh)
            period = recorded[i].y;
    CHECK(period == 20 * std::int64_t{kMillisecond});
}

TEST_CASE("6.2 a delay near the end of time does not overflow") {
    Desk desk;
    kit::idle_until(kMillisecond);
    desk.manager.add(kNever - 1000, desk.write("at once"));
    INFO("the beginning plus the delay would overflow: the alarm then has no deadline");
    CHECK(desk.manager.run_expired() == 0);
    CHECK(desk.manager.next_deadline() == kNever);
    CHECK(desk.log.empty());
    INFO("the last time before kNever is still a deadline");
    desk.manager.add(kNever - 1 - kit::now(), desk.write("in 584 years"));
    CHECK(desk.manager.next_deadline() == kNever - 1);
}

TEST_CASE("6.2 the object of a condition timer exists as long as the callback runs") {
    Desk desk;
    auto object = std::make_shared<int>(7);
    const std::weak_ptr<int> there = object;
    bool during = false;
    desk.manager.add_condition(
        kMillisecond,
        [&] {
            object.reset();
            during = !there.expired();
        },
        there);
    desk.run_until(kMillisecond);
    INFO("checking whether it exists is not enough: the callback itself may destroy the last other owner");
    CHECK(during);
    CHECK(there.expired());
}

TEST_CASE("6.2 any of several due alarms may be cancelled, not only the next") {
    INFO("a due alarm may be anywhere in due_: the first callback cancels the last alarm");
    Desk desk;
    AlarmHandle last;
    bool was_due = false;
    desk.manager.add(kMillisecond, [&] { was_due = desk.manager.cancel(last); });
    desk.manager.add(kMillisecond, desk.write("second"));
    last = desk.manager.add(kMillisecond, desk.write("last"));
    kit::idle_until(kMillisecond);
    const std::size_t called = desk.manager.run_expired();
    CHECK(was_due);
    {
        INFO("run_expired returns the number of alarms called, without one that was cancelled meanwhile");
        CHECK(called == 2);
    }
    CHECK(desk.log == Log{"second"});
}

TEST_CASE("6.2 an alarm of another manager is refused, and stays as it was") {
    INFO("false, and nothing happens: neither its delay nor its beginning has changed");
    Desk desk;
    HeapStore other_store;
    TimerManager other(other_store);
    const AlarmHandle theirs = other.add(10 * kMillisecond, [] {});
    kit::idle_until(4 * kMillisecond);
    CHECK_FALSE(desk.manager.reset(theirs, kSecond, From::now));
    CHECK_FALSE(desk.manager.refresh(theirs));
    CHECK(desk.manager.next_deadline() == kNever);
    CHECK(other.next_deadline() == 10 * kMillisecond);
    CHECK(other.reset(theirs, 20 * kMillisecond, From::beginning));
    CHECK(other.next_deadline() == 20 * kMillisecond);
    CHECK_FALSE(desk.manager.reset(theirs, kSecond, From::beginning));
    CHECK(other.refresh(theirs));
    CHECK(other.next_deadline() == 24 * kMillisecond);
}

TEST_CASE("6.2 a recurring alarm that is due and cancelled by another callback is not called") {
    INFO("a cancelled alarm leaves due_, whether or not it recurs");
    Desk desk;
    AlarmHandle second;
    bool was_there = false;
    int calls = 0;
    desk.manager.add(10 * kMillisecond, [&] { was_there = desk.manager.cancel(second); });
    second = desk.manager.add(
        10 * kMillisecond, [&] { ++calls; }, Repeat::for_ever);
    kit::idle_until(10 * kMillisecond);
    desk.manager.run_expired();
    CHECK(was_there);
    CHECK(calls == 0);
    INFO("a recurring alarm that is due is already set for its next beat: cancel removes it from the store as well");
    CHECK(desk.manager.next_deadline() == kNever);
    desk.run_until(50 * kMillisecond);
    CHECK(calls == 0);
    CHECK(desk.manager.size() == 0);
}

TEST_CASE("6.2 a recurring alarm without a delay is refused by reset too, and stays as it was") {
    INFO("the beat of a recurring alarm is never 0: reset refuses what add refuses");
    Desk desk;
    int calls = 0;
    const AlarmHandle beat = desk.manager.add(
        10 * kMillisecond, [&] { ++calls; }, Repeat::for_ever);
    for (const From from : {From::now, From::beginning})
        CHECK_THROWS_AS(desk.manager.reset(beat, 0, from), std::invalid_argument);
    REQUIRE(beat->delay == 10 * kMillisecond);
    desk.run_until(25 * kMillisecond);
    CHECK(calls == 2);
    kit::idle_until(27 * kMillisecond);
    CHECK_THROWS_AS(desk.manager.reset(beat, 0, From::now), std::invalid_argument);
    kit::idle_until(30 * kMillisecond);
    CHECK(desk.manager.run_expired() == 1);
    INFO("refuse before anything changes, including `began`: the beat continues from its last one");
    CHECK(desk.manager.next_deadline() == 40 * kMillisecond);
}

TEST_CASE("6.2 cancelling an alarm of another manager removes none of one's own") {
    INFO("alarms of two managers have the same serial numbers: forget an alarm only if it was set or due here");
    Desk desk;
    HeapStore other_store;
    TimerManager other(other_store);
    std::weak_ptr<Alarm> mine = desk.manager.add(10 * kMillisecond, desk.write("mine"));
    const AlarmHandle theirs = other.add(10 * kMillisecond, [] {});
    CHECK_FALSE(desk.manager.cancel(theirs));
    CHECK(desk.manager.size() == 1);
    CHECK(other.size() == 1);
    REQUIRE_FALSE(mine.expired());
    desk.run_until(20 * kMillisecond);
    CHECK(desk.log == Log{"mine"});
}
