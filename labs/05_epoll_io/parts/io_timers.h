// Given: callbacks ordered by deadline, as in sylar's TimerManager, which is a base of its IO manager. Lab 06 builds
// more complete timers (step 6.2).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "labs/kit/time/never.h"

namespace fiberscope::lab05 {

/// Identifies a timer by its deadline (ns) and, among equal deadlines, its age.
struct TimerKey {
    std::uint64_t deadline = 0;
    std::uint64_t number = 0;
    auto operator<=>(const TimerKey&) const = default;
};

/// Not thread-safe: its user has a lock.
class IoTimers {
  public:
    using Callback = std::function<void()>;

    TimerKey add(std::uint64_t deadline, Callback callback) {
        const TimerKey key{deadline, ++number_};
        timers_.emplace(key, std::move(callback));
        return key;
    }
    /// Returns false if the timer is no longer set.
    bool cancel(const TimerKey& key) { return timers_.erase(key) > 0; }
    bool empty() const noexcept { return timers_.empty(); }
    /// The first deadline in ns; kNever if no timer is set.
    std::uint64_t first() const noexcept { return timers_.empty() ? kit::kNever : timers_.begin()->first.deadline; }
    /// Removes the timers whose deadline is not later than `now`, and returns their callbacks in order.
    std::vector<Callback> take_expired(std::uint64_t now) {
        std::vector<Callback> expired;
        for (; !timers_.empty() && first() <= now; timers_.erase(timers_.begin()))
            expired.push_back(std::move(timers_.begin()->second));
        return expired;
    }

  private:
    std::map<TimerKey, Callback> timers_;
    std::uint64_t number_ = 0;
};

}  // namespace fiberscope::lab05
