// Step 6.8: the wheel of several levels.
#define FIBERSCOPE_STEP "6.8"
#define FIBERSCOPE_STORE LevelStore
#include "labs/06_timers/wheel_store.h"
#include "labs/kit/fault/expected.h"

#include "labs/06_timers/tests/stores.h"
#include "labs/kit/report/notes.h"

TEST_CASE("6.8 deadlines at the edges of every wheel expire at their tick") {
    EXPECTS(
        "turn the hand, then deal out the slot that it has entered; an expired timer is in no wheel any "
        "more, and timers that are still beyond all wheels stay there");
    Stand<LevelStore> stand;
    std::vector<std::uint64_t> ticks;
    for (const unsigned bits : {8U, 16U, 24U, 32U, 33U, 41U})
        for (const std::uint64_t near : {0U, 1U, 2U}) ticks.push_back((std::uint64_t{1} << bits) + near - 1);
    for (const std::uint64_t tick : ticks) stand.add(tick * kMillisecond);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        INFO(kit::told(message(
            "its wheel is that of the highest differing byte, and the hand enters a slot with zeros below; a timer "
            "expires at its tick, whichever wheel it is in, even in the slot under the hand; this tick is {0}",
            ticks[i])));
        CHECK(stand.store.next_deadline() == ticks[i] * kMillisecond);
        CHECK(stand.expired(ticks[i] * kMillisecond - 1).empty());
        CHECK(stand.expired(ticks[i] * kMillisecond) == Numbers{static_cast<int>(i)});
    }
    CHECK(stand.store.empty());
}

TEST_CASE("6.8 the next deadline is the earliest in its slot, at any position") {
    Stand<LevelStore> stand;
    INFO("the earliest timer of a slot need not be its first: at a higher level a slot has many ticks");
    for (const std::uint64_t ms : {0x2ffU, 0x210U, 0x280U, 1U}) stand.add(ms * kMillisecond);
    CHECK(stand.expired(kMillisecond) == Numbers{3});
    CHECK(stand.store.next_deadline() == 0x210 * kMillisecond);
}

TEST_CASE("6.8 a timer that was far away expires before one that is added later for the same tick") {
    INFO("in one slot timers expire in the order in which they were added");
    Stand<LevelStore> stand;
    const std::uint64_t deadline = 70'000 * kMillisecond;
    Numbers all;
    for (const std::uint64_t now : {0U, 65'000U, 65'536U, 69'000U, 69'999U}) {
        INFO("when the hand enters a slot of a higher wheel, its timers go down before others are inserted below");
        CHECK(stand.expired(now * kMillisecond).empty());
        all.push_back(stand.add(deadline).number);
    }
    CHECK(stand.expired(deadline) == all);
}

TEST_CASE("6.8 after set_time a near timer is in the first wheel") {
    const trace::Trace recorded = trace_of("again", [] {
        Stand<LevelStore> stand;
        std::vector<Timer*> all;
        stand.store.take_all(1'000 * kSecond, all);
        stand.add(1'000 * kSecond + 5 * kMillisecond);
        stand.expired(1'000 * kSecond + 5 * kMillisecond);
    });
    INFO("set_time turns every hand: otherwise near timers seem far away and are put beyond the wheels");
    CHECK(count(recorded, trace::Kind::insert, "beyond") == 0);
    CHECK(count(recorded, trace::Kind::insert, "ticks") == 1);
    CHECK(count(recorded, trace::TimerOp::fire) == 1);
}

namespace {

/// Returns the positions of the hands of all wheels, in the order of their moves.
std::vector<std::int64_t> hands_in(const trace::Trace& recorded) {
    std::vector<std::int64_t> hands;
    for (const trace::Event& e : all_of(recorded, trace::Kind::hand)) hands.push_back(e.x);
    return hands;
}

}  // namespace

TEST_CASE("6.8 the trace shows the hands of the higher wheels too") {
    const trace::Trace recorded = trace_of("hands", [] {
        Stand<LevelStore> stand;
        stand.add(kDay);
        stand.expired(70'000 * kMillisecond);
    });
    INFO(
        "every hand goes to now at the end of a check, each to a slot of its wheel: 70,000 ms is slot 112 of the "
        "ticks, 17 of the turns of 256 and 1 of the turns of 65,536");
    for (const char* wheel : {"ticks", "turns of 256", "turns of 65,536"})
        CHECK(count(recorded, trace::Kind::hand, wheel) == 1);
    CHECK(hands_in(recorded) == std::vector<std::int64_t>{112, 17, 1});
}

TEST_CASE("6.8 set_time moves every hand at once, in the trace too") {
    const trace::Trace recorded = trace_of("again_at_once", [] {
        Stand<LevelStore> stand;
        std::vector<Timer*> all;
        stand.store.take_all(1'000 * kSecond, all);
        stand.store.cancel(stand.add(1'000 * kSecond + 5 * kMillisecond));
    });
    INFO("set_time turns the hand of each wheel, and not only the number: 1,000 s is slot 64 of the ticks");
    CHECK(hands_in(recorded) == std::vector<std::int64_t>{64, 66, 15});
}

TEST_CASE("6.8 only the first timer in a slot of the first wheel is checked") {
    INFO("all timers in a slot of the first wheel have the same deadline: read one of them");
    record_nothing();
    Stand<LevelStore> stand;
    stand.add(kMillisecond);
    for (int i = 0; i < 100; ++i) stand.add(5 * kMillisecond);
    CHECK(stand.expired(kMillisecond) == Numbers{0});
    // Forbidden while a timer is in a store: a deadline that reveals a store that looks at the other timers.
    const std::uint64_t deadline = std::exchange(stand.timers.back().deadline, 1);
    const std::uint64_t next = stand.store.next_deadline();
    stand.timers.back().deadline = deadline;
    CHECK(next == 5 * kMillisecond);
}

TEST_CASE("6.8 timers beyond the wheels are dealt out when their period begins, not when the first is due") {
    const trace::Trace recorded = trace_of("stretch", [] {
        Stand<LevelStore> stand;
        constexpr std::uint64_t kStretch = std::uint64_t{1} << 32;
        stand.add((kStretch + 500) * kMillisecond);
        stand.expired((kStretch + 10) * kMillisecond);
    });
    INFO("the hand first comes to the start of the next 2^32 ticks, where it deals out the timers beyond the wheels");
    CHECK(count(recorded, trace::Kind::remove, "beyond") == 1);
    CHECK(count(recorded, trace::Kind::insert, "turns of 256") == 1);
}
