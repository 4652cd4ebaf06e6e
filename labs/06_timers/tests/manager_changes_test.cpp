// Step 6.2: what changes while alarms are set: another first one, another delay.
#include "labs/06_timers/tests/manager_desk.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {
using Desk = ManagerDesk;
}  // namespace

TEST_CASE("6.2 when another alarm becomes the first, or the last one goes, the owner learns it, and only then") {
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
        "the first of all is put off, or stays where it is: nothing comes earlier now, and nothing needs to be woken "
        "for it");
    desk.manager.reset(alarm, 15 * kMillisecond, From::now);
    desk.manager.refresh(alarm);
    CHECK(told == 3);
    const AlarmHandle late = desk.manager.add(kNever - 1, [] {});
    desk.manager.cancel(alarm);
    CHECK(told == 3);
    desk.run_until(60 * kMillisecond);
    INFO("when the last one is cancelled, the loop need not sleep until then");
    desk.manager.cancel(late);
    CHECK(told == 4);
}

TEST_CASE("6.2 to cancel one that has gone tells the owner nothing") {
    INFO("nothing happens: the owner would wake the task that serves for nothing");
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

TEST_CASE("6.2 an alarm that is called once may be reset to no delay at all, and has no period") {
    INFO("only what recurs needs a delay, and has a period");
    Desk desk;
    const AlarmHandle alarm = desk.manager.add(10 * kMillisecond, desk.write("called"));
    CHECK(desk.manager.reset(alarm, 5 * kMillisecond, From::now));
    CHECK(alarm->period == 0);
    CHECK_NOTHROW(desk.manager.reset(alarm, 0, From::now));
    CHECK(desk.manager.next_deadline() == 0);
    desk.manager.run_expired();
    CHECK(desk.log == Log{"called"});
}

TEST_CASE("6.2 when the owner learns that the last one was cancelled, it is no longer set") {
    Desk desk;
    std::size_t set = 99;
    const AlarmHandle alarm = desk.manager.add(10 * kMillisecond, [] {});
    desk.manager.when_first_changes([&] { set = desk.manager.size(); });
    INFO("forget the alarm before you call told_: what is told may ask how many are set");
    CHECK(desk.manager.cancel(alarm));
    CHECK(set == 0);
}

TEST_CASE("6.2 one that recurs and is not set any more refuses every new delay in the same way, 0 too") {
    Desk desk;
    const AlarmHandle beat = desk.manager.add(
        10 * kMillisecond, [] {}, Repeat::for_ever);
    INFO("ask first whether it is set: of one that is not reset returns false, and throws nothing");
    CHECK(desk.manager.reset(beat, 5 * kMillisecond, From::now));
    desk.manager.cancel(beat);
    CHECK_FALSE(desk.manager.reset(beat, 5 * kMillisecond, From::now));
    CHECK_NOTHROW(desk.manager.reset(beat, 0, From::now));
}
