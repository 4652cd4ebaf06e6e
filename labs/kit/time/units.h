// Units of time, and conversions to and from ns. Values that do not fit are clamped to the largest one, and negative
// values to 0: a time never wraps around or changes its sign.
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

/// Returns `a` + `b`, such as a deadline from now and a delay; kNever on overflow.
constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) noexcept { return a < kNever - b ? a + b : kNever; }

/// Returns `a` - `b`, the time from `b` to `a`; 0 if `a` is earlier, kNever if `a` is kNever.
constexpr std::uint64_t minus(std::uint64_t a, std::uint64_t b) noexcept {
    return a == kNever ? kNever : a > b ? a - b : 0;
}

/// Returns `count` times `unit` ns; kNever on overflow.
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
/// Rounds down to whole microseconds.
constexpr timeval timeval_of(std::uint64_t ns) noexcept {
    return {static_cast<std::time_t>(ns / kSecond), static_cast<suseconds_t>(ns % kSecond / kMicrosecond)};
}
/// The value in a trace, which has 63 bits.
constexpr std::int64_t in_trace(std::uint64_t ns) noexcept {
    return static_cast<std::int64_t>(
        std::min(ns, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
}
/// For a wait of the standard library, which adds it to the time of its clock as a signed number: at most a day. Wait
/// again afterwards.
constexpr std::chrono::nanoseconds a_while(std::uint64_t ns) noexcept {
    constexpr std::uint64_t kDay = 86'400 * kSecond;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(ns, kDay)));
}
/// The timeout of poll(2) and epoll_wait(2): rounded up, since a wait that ends too early would have to be repeated; -1
/// for kNever, otherwise at most INT_MAX (24 days). Wait again afterwards.
constexpr int ms_of(std::uint64_t ns) noexcept {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    if (ns == kNever) return -1;
    return static_cast<int>(std::min(ns / kMillisecond + (ns % kMillisecond != 0 ? 1 : 0), kMost));
}

}  // namespace fiberscope::kit
