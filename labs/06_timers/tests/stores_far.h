// Tests of every store with distant deadlines; included by stores.h.
#pragma once

#include "labs/06_timers/tests/store_comparison.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

TEST_CASE(FIBERSCOPE_STEP " a deadline years away is found, and expires at its time") {
    record_nothing();
    EXPECTS("a deadline has 64 bits, and so has its tick: 32 bits of ms are 49 days");
    Stand<Store> stand;
    for (const std::uint64_t days : {50U, 400U, 3'000U}) {
        stand.add(days * kDay);
        CHECK(stand.store.next_deadline() == days * kDay);
        CHECK(stand.expired(days * kDay - 1).empty());
        CHECK(stand.expired(days * kDay).size() == 1);
    }
}

TEST_CASE(FIBERSCOPE_STEP " a timer without a deadline never expires, and has none to wait for") {
    record_nothing();
    Stand<Store> stand;
    stand.add(kNever);
    INFO("next_deadline() is then kNever: a service that slept until anything else would never end");
    CHECK(stand.store.next_deadline() == kNever);
    CHECK(stand.expired(365 * kDay).empty());
    stand.add(366 * kDay);
    CHECK(stand.store.next_deadline() == 366 * kDay);
    CHECK(stand.expired(366 * kDay) == Numbers{1});
    CHECK(stand.store.next_deadline() == kNever);
}
