// Tests of every store. The including file selects the store and the step:
//
//     #define FIBERSCOPE_STEP "6.1"
//     #define FIBERSCOPE_STORE TreeStore
//     #include "labs/06_timers/tests/stores.h"
#pragma once

#include "labs/06_timers/tests/store_comparison.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

TEST_CASE(FIBERSCOPE_STEP " timers expire in the order of their deadlines, and never early") {
    Stand<Store> stand;
    for (const std::uint64_t ms : {30U, 10U, 20U, 40U}) stand.add(ms * kMillisecond);
    EXPECTS("expired timers leave the store: otherwise each check finds them again");
    INFO("the first deadline is 10 ms: next_deadline() returns it, and nothing expires before it");
    CHECK(stand.store.size() == 4);
    CHECK(stand.store.next_deadline() == 10 * kMillisecond);
    CHECK(stand.expired(9 * kMillisecond).empty());
    INFO("a timer whose deadline is now has expired");
    CHECK(stand.expired(10 * kMillisecond) == Numbers{1});
    {
        INFO("next_deadline() is the earliest of the remaining deadlines");
        CHECK(stand.store.next_deadline() == 20 * kMillisecond);
    }
    {
        INFO("the next one is the earliest of the remaining timers, even if there are only two");
        CHECK(stand.expired(35 * kMillisecond) == Numbers{2, 0});
        CHECK(stand.expired(35 * kMillisecond).empty());
        CHECK(stand.expired(100 * kMillisecond) == Numbers{3});
    }
    CHECK(stand.store.empty());
    CHECK(stand.store.next_deadline() == kNever);
}

TEST_CASE(FIBERSCOPE_STEP " equal deadlines expire in the order in which they were added") {
    Stand<Store> stand;
    Numbers all;
    for (int i = 0; i < 100; ++i) {
        stand.add(5 * kMillisecond);
        all.push_back(i);
    }
    INFO("the key is (deadline, order): of equal deadlines the first one added expires first");
    CHECK(stand.expired(5 * kMillisecond) == all);
}

TEST_CASE(FIBERSCOPE_STEP " a deadline that has already passed expires at the next check, after those due before") {
    Stand<Store> stand;
    INFO("a deadline in the past is due now, after the timers that are already due");
    CHECK(stand.expired(50 * kMillisecond).empty());
    stand.add(50 * kMillisecond);
    stand.add(20 * kMillisecond);
    stand.add(51 * kMillisecond);
    CHECK(stand.expired(50 * kMillisecond) == Numbers{0, 1});
    CHECK(stand.expired(51 * kMillisecond) == Numbers{2});
}

TEST_CASE(FIBERSCOPE_STEP " a check takes all due timers, however many there are") {
    record_nothing();
    Stand<Store> stand;
    constexpr std::uint64_t kMany = 5'000;
    for (std::uint64_t i = 0; i < kMany; ++i) stand.add((i % 3 + 1) * kMillisecond);
    for (std::uint64_t i = 0; i < kMany; ++i) stand.add((i + 1) * kSecond);
    INFO("a check takes everything that is due: a timer left out would be late");
    CHECK(stand.expired(kSecond - 1).size() == kMany);
    CHECK(stand.expired(kMany * kSecond).size() == kMany);
    CHECK(stand.store.empty());
}

TEST_CASE(FIBERSCOPE_STEP " all timers can be taken at once, and time may start again") {
    Stand<Store> stand;
    INFO("take_all empties the store and sets its time to the given one");
    CHECK(stand.expired(1'000 * kSecond).empty());
    stand.add(kNever);
    stand.add(2'000 * kSecond);
    {
        INFO("given: a deadline is rounded up to a tick without overflow: kNever stays kNever");
        CHECK(stand.expired(1'500 * kSecond).empty());
    }
    std::vector<Timer*> all;
    stand.store.take_all(3 * kSecond, all);
    {
        INFO("now is kNever here: `deadline <= now` holds, but now + 1 would be 0");
        INFO("timers without a deadline are taken too");
        CHECK(Stand<Store>::numbers_of(all) == Numbers{1, 0});
    }
    stand.add(4 * kSecond);
    CHECK(stand.expired(3 * kSecond).empty());
    CHECK(stand.expired(4 * kSecond) == Numbers{2});
    INFO("timers added afterwards are found relative to the new time, even before the next check");
    stand.add(2'000 * kSecond);
    CHECK(stand.expired(1'500 * kSecond).empty());
    stand.store.take_all(3 * kSecond, all);
    stand.add(4 * kSecond);
    CHECK(stand.store.next_deadline() == 4 * kSecond);
    CHECK(stand.expired(4 * kSecond) == Numbers{4});
}

TEST_CASE(FIBERSCOPE_STEP " random operations: the same timers expire as in a simple model, in the same order") {
    const int operations = kit::kUnderSanitizer ? 5'000 : 60'000;
    unsigned seed = 0;
    for (const int timers : {30, 1000, 4, 100, 200}) {
        const Operations few = shortest_by_child(some_operations(++seed, timers, operations), timers);
        INFO(kit::told(message("found by random operations and shortened: {0}", Value::of(in_words(few)))));
        const std::string rule =
            kit::testing::rule_broken_here(few, [&](const Operations& some) { return broken_rule(some, timers); });
        REQUIRE(rule == "");
    }
}

#include "labs/06_timers/tests/stores_far.h"
#include "labs/kit/report/notes.h"

TEST_CASE(FIBERSCOPE_STEP " a cancelled timer does not expire, and can be added again") {
    Stand<Store> stand;
    for (std::uint64_t i = 0; i < 20; ++i) stand.add((i * 7 % 20 + 1) * kMillisecond);
    INFO("a cancelled timer has left the store; the others expire in their order");
    for (const std::size_t i : {3U, 0U, 19U, 11U}) {
        CHECK(stand.store.cancel(stand.timers[i]));
        INFO("the second time there is nothing to cancel");
        CHECK_FALSE(stand.store.cancel(stand.timers[i]));
    }
    CHECK(stand.store.size() == 16);
    stand.store.add(stand.timers[3], 21 * kMillisecond);
    const Numbers expired = stand.expired(30 * kMillisecond);
    REQUIRE(expired.size() == 17);
    CHECK(expired.back() == 3);
    for (std::size_t i = 1; i + 1 < expired.size(); ++i) CHECK(expired[i - 1] * 7 % 20 < expired[i] * 7 % 20);
    CHECK_FALSE(stand.store.cancel(stand.timers[5]));
}

TEST_CASE(FIBERSCOPE_STEP " a refreshed timer has only its new deadline, earlier or later") {
    Stand<Store> stand;
    for (const std::uint64_t ms : {10U, 20U, 30U}) stand.add(ms * kMillisecond);
    INFO("refresh removes the timer and inserts it again under its new deadline");
    CHECK(stand.store.refresh(stand.timers[0], 25 * kMillisecond));
    CHECK(stand.store.refresh(stand.timers[2], 5 * kMillisecond));
    CHECK(stand.store.next_deadline() == 5 * kMillisecond);
    CHECK(stand.expired(24 * kMillisecond) == Numbers{2, 1});
    CHECK(stand.expired(25 * kMillisecond) == Numbers{0});
    CHECK_FALSE(stand.store.refresh(stand.timers[0], 50 * kMillisecond));
    CHECK_THROWS_AS((stand.store.add(stand.add(60 * kMillisecond), 70 * kMillisecond)), std::logic_error);
}
