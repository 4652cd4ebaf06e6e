// Step 6.3: libco's wheel.
#define FIBERSCOPE_STEP "6.3"
#define FIBERSCOPE_STORE WheelStore
#include "labs/06_timers/wheel_store.h"
#include "labs/kit/fault/expected.h"

#include "labs/06_timers/tests/stores.h"

TEST_CASE("6.3 a deadline beyond the wheel waits for its turn") {
    Stand<WheelStore> stand;
    stand.add(90 * kSecond);
    stand.add(30 * kSecond);
    stand.add(150 * kSecond);
    stand.add(60 * kSecond);
    EXPECTS("30, 90 and 150 s are in one slot of a wheel that turns in 60 s: skip those of later turns, and continue");
    CHECK(stand.store.next_deadline() == 30 * kSecond);
    CHECK(stand.expired(30 * kSecond) == Numbers{1});
    CHECK(stand.store.next_deadline() == 60 * kSecond);
    CHECK(stand.expired(89 * kSecond) == Numbers{3});
    CHECK(stand.expired(90 * kSecond) == Numbers{0});
    CHECK(stand.store.next_deadline() == 150 * kSecond);
    CHECK(stand.expired(150 * kSecond) == Numbers{2});
}

TEST_CASE("6.3 if all timers are turns away, the first deadline is the earliest in all slots") {
    Stand<WheelStore> stand;
    INFO("the timers of one slot belong to several turns: check each of them, not only the first of the slot");
    stand.add(250 * kSecond);
    stand.add(190 * kSecond);
    stand.add(130 * kSecond);
    CHECK(stand.store.next_deadline() == 130 * kSecond);
    CHECK(stand.expired(130 * kSecond) == Numbers{2});
    CHECK(stand.store.next_deadline() == 190 * kSecond);
}

TEST_CASE("6.3 if all timers are turns away, slot 0 is searched too") {
    Stand<WheelStore> stand;
    INFO("start at slot 0 and search every slot: deadlines of whole minutes are in slot 0");
    CHECK(stand.expired(30 * kSecond).empty());
    stand.add(120 * kSecond);
    CHECK(stand.store.next_deadline() == 120 * kSecond);
    CHECK(stand.expired(120 * kSecond) == Numbers{0});
}

TEST_CASE("6.3 a check several turns later finds all timers in order") {
    Stand<WheelStore> stand;
    for (const std::uint64_t s : {400U, 61U, 1U, 121U, 59U}) stand.add(s * kSecond);
    INFO("after several turns the timers still expire by deadline, not by slot");
    CHECK(stand.expired(500 * kSecond) == Numbers{2, 4, 1, 3, 0});
    stand.add(501 * kSecond);
    CHECK(stand.expired(501 * kSecond) == Numbers{5});
}

TEST_CASE("6.3 the cost of a check depends on the expired timers and the slots passed, not on later timers") {
    INFO("a check visits the slots that the hand passes, and only there the timers whose turn has come");
    record_nothing();
    Stand<WheelStore> stand;
    const std::uint64_t many = kit::kUnderSanitizer ? 10'000 : 100'000;
    for (std::uint64_t i = 0; i < many; ++i) stand.add((20 * 1000 + i % 60'000) * kMillisecond);
    std::vector<Timer*> out;
    out.reserve(many);
    for (std::uint64_t ms = 0; ms < 20'000; ++ms) stand.store.take_expired(ms * kMillisecond, out);
    CHECK(out.empty());
    stand.store.take_expired(100 * kSecond, out);
    CHECK(out.size() == many);
}

TEST_CASE("6.3 the wheel in the trace: slots, and a hand that moves to each slot that it empties") {
    const trace::Trace recorded = trace_of("wheel", [] {
        Stand<WheelStore> stand;
        for (const std::uint64_t ms : {10U, 60'010U, 20U}) stand.add(ms * kMillisecond);
        stand.expired(15 * kMillisecond);
        stand.expired(60'011 * kMillisecond);
    });
    std::vector<std::int64_t> slots, hands;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i].kind == trace::Kind::remove) slots.push_back(recorded[i].x);
        if (recorded[i].kind == trace::Kind::hand) hands.push_back(recorded[i].x);
    }
    INFO("60,010 ms is in slot 10; the hand goes to each slot that timers leave, and to now at the end");
    CHECK(slots == std::vector<std::int64_t>{10, 20, 10});
    CHECK(hands == std::vector<std::int64_t>{10, 15, 20, 10, 11});
}

TEST_CASE("6.3 a check of a wheel that has turned since the last timer visits at most two slots") {
    INFO("the hand goes to now at each check, even if nothing has expired: the next check starts there");
    record_nothing();
    constexpr std::uint64_t kLooks = 1'000;
    Stand<WheelStore> stand;
    for (std::uint64_t i = 0; i < 100; ++i) stand.add((3'600'000 + i) * kMillisecond);
    const std::uint64_t begin = 100'500 * kMillisecond;  // more than a turn, and far from the slots of the timers
    CHECK(stand.expired(begin).empty());
    const std::uint64_t before = slots_looked_at;
    for (std::uint64_t i = 1; i <= kLooks; ++i) CHECK(stand.expired(begin + i * kMillisecond).empty());
    CHECK(slots_looked_at - before <= 2 * kLooks);
    CHECK(stand.expired(3'601'000 * kMillisecond).size() == 100);
}

TEST_CASE("6.3 a check that takes a timer does not search beyond now for the next one") {
    INFO("first_tick(last) must not search beyond last, even after a timer was taken");
    record_nothing();
    constexpr std::uint64_t kLooks = 100;
    Stand<WheelStore> stand;
    for (std::uint64_t i = 0; i < 1'000; ++i) stand.add((200'000 + i) * kMillisecond);
    for (std::uint64_t ms = 1; ms <= kLooks; ++ms) stand.add(ms * kMillisecond);
    const std::uint64_t before = slots_looked_at;
    std::size_t taken = 0;
    for (std::uint64_t ms = 1; ms <= kLooks; ++ms) taken += stand.expired(ms * kMillisecond).size();
    CHECK(taken == kLooks);
    CHECK(slots_looked_at - before <= 20 * kLooks);
}

TEST_CASE("6.3 a deadline in the past is a whole tick too, and expires with the next") {
    INFO("deadlines are multiples of resolution(), even one that has already passed when it is added");
    Stand<WheelStore> stand;
    CHECK(stand.expired(1'500 * kMicrosecond).empty());
    stand.add(5);
    CHECK(stand.store.next_deadline() == 2 * kMillisecond);
    CHECK(stand.expired(1'600 * kMicrosecond).empty());
    CHECK(stand.expired(2 * kMillisecond) == Numbers{0});
}

TEST_CASE("6.3 a timer in the last slot of the turn is found in one round over the occupied slots") {
    INFO("a turn has kSlots slots, including the last: only timers beyond it need a search of all timers");
    record_nothing();
    constexpr std::uint64_t kOthers = 100, kTurn = WheelStore::kSlots;
    Stand<WheelStore> stand;
    stand.add(kMillisecond);
    stand.add(kTurn * kMillisecond);
    for (std::uint64_t i = 2; i < kOthers; ++i) stand.add((kTurn + i) * kMillisecond);  // in the next turn
    CHECK(stand.expired(kMillisecond) == Numbers{0});
    const std::uint64_t before = slots_looked_at;
    CHECK(stand.store.next_deadline() == kTurn * kMillisecond);
    CHECK(slots_looked_at - before <= 2 * kOthers + 4);
}

TEST_CASE("6.3 the first deadline of several that are turns away, in adjacent slots, is found") {
    INFO("timers that are turns away are searched in every occupied slot");
    Stand<WheelStore> stand;
    for (const std::uint64_t turns : {5U, 4U, 3U, 2U})
        stand.add((turns * WheelStore::kSlots + 10 - turns) * kMillisecond);
    for (const std::uint64_t turns : {2U, 3U, 4U, 5U}) {
        const std::uint64_t due = (turns * WheelStore::kSlots + 10 - turns) * kMillisecond;
        CHECK(stand.store.next_deadline() == due);
        CHECK(stand.expired(due) == Numbers{static_cast<int>(5 - turns)});
    }
}
