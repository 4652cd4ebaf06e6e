// What the tests of this lab share: virtual time, timers with a number, and what the expired are called.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/clock.h"
#include "labs/kit/sanitizer.h"
#include "labs/kit/testing/recorded.h"
#include "labs/kit/trace.h"
#include "testing/catch.h"

namespace fiberscope::lab06::testing {

using kit::testing::misuse_of;
using kit::testing::trace_of;
using Numbers = std::vector<int>;
using Log = std::vector<std::string>;

inline constexpr std::uint64_t kMicrosecond = 1000;
inline constexpr std::uint64_t kMillisecond = 1'000'000;
inline constexpr std::uint64_t kSecond = 1'000 * kMillisecond;
inline constexpr std::uint64_t kDay = 24 * 3600 * kSecond;

/// The virtual clock, also when a test is run by hand. First thing in a test.
inline void use_virtual_time() { kit::choose_clock(kit::ClockKind::virtual_); }

/// The monotonic clock, for what only the kernel can tell. Nothing is recorded: it would be another trace each time.
inline void use_real_time() {
    kit::end_trace();
    kit::choose_clock(kit::ClockKind::monotonic);
}

/// For tests whose trace would be too long.
inline void record_nothing() {
    kit::end_trace();
    use_virtual_time();
}

struct Numbered : Timer {
    explicit Numbered(int n) noexcept : number(n) {}
    int number;
};

/// A store, and timers with numbers that are put into it.
template <class Store>
struct Stand {
    Store store;
    std::deque<Numbered> timers;

    /// The numbers count up from 0.
    Numbered& add(std::uint64_t deadline) {
        timers.emplace_back(static_cast<int>(timers.size()));
        store.add(timers.back(), deadline);
        return timers.back();
    }
    /// The numbers of those that have expired, in order.
    Numbers expired(std::uint64_t now) {
        std::vector<Timer*> out;
        store.take_expired(now, out);
        return numbers_of(out);
    }
    static Numbers numbers_of(const std::vector<Timer*>& taken) {
        Numbers numbers;
        for (const Timer* timer : taken) numbers.push_back(static_cast<const Numbered*>(timer)->number);
        return numbers;
    }
};

/// How many events of a kind there are, in sets whose name is `set`, if one is given.
inline std::size_t count(const trace::Trace& recorded, trace::Kind kind, const std::string& set = "") {
    std::size_t n = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        n += recorded[i].kind == kind && (set.empty() || recorded.set_name(recorded[i].set) == set) ? 1U : 0U;
    return n;
}
/// The same for timer events.
inline std::size_t count(const trace::Trace& recorded, trace::TimerOp op) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        n += recorded[i].kind == trace::Kind::timer && recorded[i].first<trace::TimerOp>() == op ? 1U : 0U;
    return n;
}

}  // namespace fiberscope::lab06::testing
