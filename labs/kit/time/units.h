// Units of time, and every conversion to and from the ns in which this tree counts. What does not fit becomes the
// largest that does, and what is negative 0: a time never wraps, and never changes its sign.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>

#include "labs/kit/time/never.h"

namespace fiberscope::kit {

inline constexpr std::uint64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kSecond = 1'000'000'000;  ///< ns

/// `a` + `b`: a deadline is now and a time. kNever if it does not fit.
constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) noexcept { return a < kNever - b ? a + b : kNever; }

/// `a` - `b`: the time from `b` to `a`. 0 if `a` is earlier; kNever if `a` is kNever.
constexpr std::uint64_t minus(std::uint64_t a, std::uint64_t b) noexcept {
    return a == kNever ? kNever : a > b ? a - b : 0;
}

/// `count` of `unit` ns. kNever if it does not fit.
constexpr std::uint64_t ns_of(std::int64_t count, std::uint64_t unit) noexcept {
    if (count <= 0) return 0;
    const auto many = static_cast<std::uint64_t>(count);
    return many <= kNever / unit ? many * unit : kNever;
}
constexpr std::uint64_t ns_of(const timespec& time) noexcept {
    return plus(ns_of(time.tv_sec, kSecond), ns_of(time.tv_nsec, 1));
}
constexpr std::uint64_t ns_of(const timeval& time) noexcept {
    return plus(ns_of(time.tv_sec, kSecond), ns_of(time.tv_usec, kMicrosecond));
}

constexpr timespec timespec_of(std::uint64_t ns) noexcept {
    return {static_cast<std::time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}
/// Less than a microsecond is left out.
constexpr timeval timeval_of(std::uint64_t ns) noexcept {
    return {static_cast<std::time_t>(ns / kSecond), static_cast<suseconds_t>(ns % kSecond / kMicrosecond)};
}
/// In a trace, which counts in 63 bits.
constexpr std::int64_t in_trace(std::uint64_t ns) noexcept {
    return static_cast<std::int64_t>(
        std::min(ns, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
}
/// For a wait of the standard library, which adds it to the time of its clock, and counts with a sign: a day at most.
/// Ask again then.
constexpr std::chrono::nanoseconds a_while(std::uint64_t ns) noexcept {
    constexpr std::uint64_t kDay = 86'400 * kSecond;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(ns, kDay)));
}
/// As poll(2) and epoll_wait(2) have it: rounded up, since a wait that ends too early would only begin again; -1 for
/// kNever, and else INT_MAX at most, after 24 days: ask again then.
constexpr int ms_of(std::uint64_t ns) noexcept {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    if (ns == kNever) return -1;
    return static_cast<int>(std::min(ns / kMillisecond + (ns % kMillisecond != 0 ? 1 : 0), kMost));
}

}  // namespace fiberscope::kit
