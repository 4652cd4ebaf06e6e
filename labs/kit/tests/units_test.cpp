// Conversions of time at their limits.
#include "labs/kit/time/units.h"

#include <chrono>
#include <climits>
#include <cstdint>

#include "testing/catch.h"

using namespace fiberscope::kit;

TEST_CASE("a time that does not fit into ns is clamped to the largest, and a negative one to 0") {
    CHECK(plus(1, 2) == 3);
    CHECK(plus(kNever - 1, 1) == kNever);
    CHECK(plus(kNever, kNever) == kNever);
    CHECK(minus(3, 1) == 2);
    CHECK(minus(1, 3) == 0);
    CHECK(minus(kNever, 5) == kNever);
    CHECK(minus(5, kNever) == 0);
    CHECK(ns_of(INT_MAX, kMillisecond) == std::uint64_t{INT_MAX} * kMillisecond);
    CHECK(ns_of(18'446'744'073, kSecond) == std::uint64_t{18'446'744'073} * kSecond);
    CHECK(ns_of(18'446'744'074, kSecond) == kNever);
    CHECK(ns_of(INT64_MIN, kSecond) == 0);
    CHECK(ns_of(timespec{LONG_MAX, 999'999'999}) == kNever);
    CHECK(ns_of(timespec{-1, 5}) == 5);
    CHECK(ns_of(timespec{18'446'744'073, 999'999'999}) == kNever);
    CHECK(ns_of(timeval{LONG_MAX, 999'999}) == kNever);
    CHECK(ns_of(timeval{1, 2}) == kSecond + 2 * kMicrosecond);
}

TEST_CASE("a time in ns is converted for system calls and traces, and never ends too early") {
    CHECK(timespec_of(kSecond + 1).tv_sec == 1);
    CHECK(timespec_of(kSecond + 1).tv_nsec == 1);
    CHECK(timespec_of(kNever).tv_sec == 18'446'744'073);
    CHECK(timeval_of(kSecond + 1'999).tv_usec == 1);
    CHECK(ms_of(0) == 0);
    CHECK(ms_of(1) == 1);
    CHECK(ms_of(kMillisecond) == 1);
    CHECK(ms_of(kMillisecond + 1) == 2);
    CHECK(ms_of(kNever - 1) == INT_MAX);
    CHECK(ms_of(kNever) == -1);
    CHECK(in_trace(kNever) == INT64_MAX);
    CHECK(in_trace(5) == 5);
    CHECK(a_while(kNever) == std::chrono::hours(24));
    CHECK(a_while(5) == std::chrono::nanoseconds(5));
}
