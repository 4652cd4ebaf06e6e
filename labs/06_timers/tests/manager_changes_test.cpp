// Step 6.2: changes while alarms are set: another first one, another delay.
#include <cstddef>
#include <memory>
#include <stdexcept>

#include "labs/06_timers/tests/manager_desk.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {
using Desk = ManagerDesk;
}  // namespace

TEST_CASE("6.2 told_ is called when another alarm becomes the first or the last one is gone, and only then") {
    Desk desk;
    int told = 0;
    desk.manager.when_first_changes([&] { ++told; });
    const AlarmHandle alarm = desk.manager.add(30 * kMillisecond, [] {});
    INFO("told_ is called for an alarm that becomes the first of all, and for no other");
    CHECK(told == 1);
    desk.manager.add(40 * kMillisecond, [] {});
    CHECK(told == 1);
    desk.manager.add(20 * kMillisecond, [] {});
    CHECK(told == 2);
    desk.manager.reset(alarm, 10 * kMillisecond, From::now);
    CHECK(told == 3);
    INFO(
        "the first alarm is put off or unchanged: no deadline is earlier now, and nothing needs to be woken "
        "for it");
    desk.manager.reset(alarm, 15 * kMillisecond, From::now);
    desk.manager.refresh(alarm);
    CHECK(told == 3);
    const AlarmHandle late = desk.manager.add(kNever - 1, [] {});
    desk.manager.cancel(alarm);
    CHECK(told == 3);
    desk.run_until(60 * kMillisecond);
    INFO("when the last one is cancelled, the loop need not sleep until its deadline");
    desk.manager.cancel(late);
    CHECK(told == 4);
}

TEST_CASE("6.2 cancelling an alarm that is gone does not call told_") {
    INFO("nothing happens: the owner would wake the serving task for nothing");
    Desk desk;
    int told = 0;
    desk.manager.when_first_changes([&] { ++told; });
    const AlarmHandle alarm = desk.manager.add(kMillisecond, desk.write("rang"));
    desk.run_until(kMillisecond);
    CHECK(desk.log == Log{"rang"});
    told = 0;
    CHECK_FALSE(desk.manager.cancel(alarm));
    CHECK(told == 0);
}

TEST_CASE("6.2 a one-shot alarm may be reset to a delay of 0, and has no period") {
    INFO("only a recurring alarm needs a delay and has a period");
    Desk desk;
    const AlarmHandle alarm = desk.manager.add(10 * kMillisecond, desk.write("called"));
    CHECK(desk.manager.reset(alarm, 5 * kMillisecond, From::now));
    CHECK(alarm->period == 0);
    CHECK_NOTHROW(desk.manager.reset(alarm, 0, From::now));
    CHECK(desk.manager.next_deadline() == 0);
    desk.manager.run_expired();
    CHECK(desk.log == Log{"called"});
}

TEST_CASE("6.2 when told_ is called, next_deadline() is already the new one") {
    Desk desk;
    std::vector<std::uint64_t> first;
    desk.manager.when_first_changes([&] { first.push_back(desk.manager.next_deadline()); });
    const AlarmHandle alarm = desk.manager.add(30 * kMillisecond, [] {});
    desk.manager.add(20 * kMillisecond, [] {});
    desk.manager.reset(alarm, 10 * kMillisecond, From::now);
    INFO("add the alarm to the store before you call told_: the woken task sleeps until next_deadline()");
    CHECK(first == std::vector<std::uint64_t>{30 * kMillisecond, 20 * kMillisecond, 10 * kMillisecond});
}

TEST_CASE("6.2 with a store that rounds up, an alarm due with the first is not earlier") {
    TickStore store;
    TimerManager manager(store);
    int told = 0;
    manager.when_first_changes([&] { ++told; });
    manager.add(10 * kMillisecond + 500 * kMicrosecond, [] {});
    manager.add(10 * kMillisecond + 200 * kMicrosecond, [] {});
    INFO("compare the store's first deadline before and after: it differs from the one that you passed");
    CHECK(store.next_deadline() == 11 * kMillisecond);
    CHECK(told == 1);
}

TEST_CASE("6.2 with a store that rounds up, a recurring alarm keeps its own beat") {
    TickStore store;
    TimerManager manager(store);
    constexpr std::uint64_t kPeriod = kMillisecond + 500 * kMicrosecond;
    manager.add(
        kPeriod, [] {}, Repeat::for_ever);
    std::vector<std::uint64_t> ms;
    while (ms.size() < 5) {
        ms.push_back(manager.next_deadline() / kMillisecond);
        kit::idle_until(manager.next_deadline());
        manager.run_expired();
    }
    INFO(
        "compute a beat from `began` and the delay: `deadline` is rounded by the store, up to a tick later, and "
        "beats computed from it would drift");
    CHECK(ms == std::vector<std::uint64_t>{2, 3, 5, 6, 8});
}

TEST_CASE("6.2 told_ is called when the last alarm with a deadline is cancelled, although others are set") {
    Desk desk;
    int told = 0;
    desk.manager.add(kNever, [] {});
    const AlarmHandle last = desk.manager.add(kDay, [] {});
    desk.manager.when_first_changes([&] { ++told; });
    INFO("a task that sleeps until next_deadline() must be woken when that is kNever, however many alarms are set");
    CHECK(desk.manager.cancel(last));
    CHECK(told == 1);
}

TEST_CASE("6.2 the run after a callback has thrown also calls alarms that have become due since") {
    Desk desk;
    desk.manager.add(10 * kMillisecond, [] { throw std::runtime_error("broken"); });
    desk.manager.add(10 * kMillisecond, desk.write("left"));
    desk.manager.add(15 * kMillisecond, desk.write("due since"));
    kit::idle_until(10 * kMillisecond);
    INFO("each run collects first, even if the previous one has left some in due_");
    CHECK_THROWS_AS(desk.manager.run_expired(), std::runtime_error);
    kit::idle_until(15 * kMillisecond);
    std::size_t called = 0;
    {
        INFO("an alarm leaves due_ before it is called: if it throws, it has been called, and is not called again");
        REQUIRE_NOTHROW(called = desk.manager.run_expired());
    }
    CHECK(called == 2);
    CHECK(desk.log == Log{"left", "due since"});
}

TEST_CASE("6.2 a condition timer may recur as long as its object exists") {
    Desk desk;
    auto object = std::make_shared<int>(1);
    desk.manager.add_condition(10 * kMillisecond, desk.write("beat"), object, Repeat::for_ever);
    desk.run_until(25 * kMillisecond);
    INFO("add_condition is add with a check before the callback: pass `repeat` on too");
    CHECK(desk.log == Log{"beat", "beat"});
    object.reset();
    desk.run_until(60 * kMillisecond);
    CHECK(desk.log == Log{"beat", "beat"});
}

namespace {

/// A callback that counts its copies, and records their number when it is called.
class Counted {
  public:
    struct Seen {
        int copies = 0, when_called = -1;
    };

    explicit Counted(Seen& seen) : seen_(&seen) { ++seen.copies; }
    Counted(const Counted& other) : seen_(other.seen_) { ++seen_->copies; }
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --seen_->copies; }
    void operator()() const { seen_->when_called = seen_->copies; }

    // The memory is never freed, so that a call after destruction is counted instead of crashing.
    static void* operator new(std::size_t) noexcept { return &room; }
    static void operator delete(void*) noexcept {}

  private:
    static inline void* room = nullptr;
    Seen* seen_;
};

}  // namespace

TEST_CASE("6.2 an alarm without other owners exists as long as its callback runs") {
    Desk desk;
    Counted::Seen seen;
    const std::weak_ptr<Alarm> keeps_its_memory = desk.manager.add(kMillisecond, Counted(seen));
    kit::idle_until(kMillisecond);
    desk.manager.run_expired();
    INFO("due_ may hold the last handle of an alarm: move it out before you remove the entry, and keep it");
    CHECK(seen.when_called > 0);
    CHECK(seen.copies == 0);
}

TEST_CASE("6.2 a recurring alarm that is reset restarts from its last beat or from now, as requested") {
    Desk desk;
    const AlarmHandle beat = desk.manager.add(
        10 * kMillisecond, [] {}, Repeat::for_ever);
    INFO("a recurring alarm begins again at each beat: From::beginning means the last beat, not now");
    kit::idle_until(10 * kMillisecond);
    CHECK(desk.manager.run_expired() == 1);
    kit::idle_until(14 * kMillisecond);
    CHECK(desk.manager.reset(beat, 6 * kMillisecond, From::beginning));
    CHECK(desk.manager.next_deadline() == 16 * kMillisecond);
    CHECK(desk.manager.reset(beat, 6 * kMillisecond, From::now));
    CHECK(desk.manager.next_deadline() == 20 * kMillisecond);
}

TEST_CASE("6.2 an alarm set again for the same deadline is called after the others with that deadline") {
    Desk desk;
    const AlarmHandle first = desk.manager.add(10 * kMillisecond, desk.write("first"));
    desk.manager.add(10 * kMillisecond, desk.write("second"));
    INFO(
        "an alarm that is set again comes last: refresh it in the store even if the deadline is the same, since its "
        "order changes");
    CHECK(desk.manager.refresh(first));
    desk.run_until(10 * kMillisecond);
    CHECK(desk.log == Log{"second", "first"});
}

TEST_CASE("6.2 a beat that is due twice, because callbacks have thrown, is cancelled completely") {
    Desk desk;
    int calls = 0;
    const Callback breaks = [] { throw std::runtime_error("broken"); };
    desk.manager.add(10 * kMillisecond, breaks);
    desk.manager.add(10 * kMillisecond, breaks);
    const AlarmHandle beat = desk.manager.add(
        10 * kMillisecond, [&] { ++calls; }, Repeat::for_ever);
    INFO("two runs have ended before its turn, so it is in due_ for two beats: cancel removes both");
    for (const std::uint64_t ms : {10U, 20U}) {
        kit::idle_until(ms * kMillisecond);
        CHECK_THROWS_AS(desk.manager.run_expired(), std::runtime_error);
    }
    CHECK(desk.manager.cancel(beat));
    CHECK(desk.manager.run_expired() == 0);
    CHECK(calls == 0);
    CHECK(desk.manager.size() == 0);
}
