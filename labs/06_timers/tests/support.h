// Shared by the tests of this lab: virtual time, and numbered timers.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/recorded.h"
#include "labs/kit/time/clock.h"
#include "testing/catch.h"

namespace fiberscope::lab06::testing {

using namespace kit::testing;
using kit::testing::count;
using Numbers = std::vector<int>;
using Log = std::vector<std::string>;

inline constexpr std::uint64_t kDay = 24 * 3600 * kSecond;

struct Numbered : Timer {
    explicit Numbered(int n) noexcept : number(n) {}
    int number;
};

/// A store, and numbered timers to put into it.
template <class Store>
struct Stand {
    Store store;
    std::deque<Numbered> timers;

    /// Adds a timer; the numbers start at 0.
    Numbered& add(std::uint64_t deadline) {
        timers.emplace_back(static_cast<int>(timers.size()));
        store.add(timers.back(), deadline);
        return timers.back();
    }
    /// Returns the numbers of the expired timers, in order.
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

/// A store with ticks of a millisecond that does not need step 6.3.
class TickStore : public TimerStore {
  public:
    TickStore() : TimerStore(kMillisecond) {}

  protected:
    void insert(Timer& timer) override { timers_.push_back(&timer); }
    void remove(Timer& timer) override { std::erase(timers_, &timer); }
    std::uint64_t first_deadline() const override {
        std::uint64_t first = kNever;
        for (const Timer* timer : timers_) first = std::min(first, timer->deadline);
        return first;
    }
    void take(std::uint64_t now, Expired& expired) override {
        for (Timer* timer : std::vector<Timer*>(timers_))
            if (timer->deadline <= now) {
                remove(*timer);
                expired.push(*timer);
            }
    }

  private:
    std::vector<Timer*> timers_;
};

/// The trace of a `Store` with 40 timers: ten cancelled, five refreshed, the others expired.
template <class Store>
trace::Trace trace_of_forty_timers() {
    return trace_of("forty_timers", [] {
        Stand<Store> stand;
        for (std::uint64_t i = 0; i < 40; ++i) stand.add((i * 37 % 23 + 1) * kMicrosecond);
        for (std::size_t i = 0; i < 10; ++i) stand.store.cancel(stand.timers[i * 3]);
        for (std::size_t i = 0; i < 5; ++i) stand.store.refresh(stand.timers[i * 7 + 1], 30 * kMicrosecond);
        stand.expired(40 * kMicrosecond);
    });
}

/// The number of timer events of a kind.
inline std::size_t count(const trace::Trace& recorded, trace::TimerOp op) {
    return count(recorded, trace::Kind::timer, op);
}

}  // namespace fiberscope::lab06::testing
