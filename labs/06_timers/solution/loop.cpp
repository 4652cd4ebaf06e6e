#include "labs/06_timers/loop.h"

#include <algorithm>
#include <limits>

#include "labs/kit/time/clock.h"

namespace fiberscope::lab06 {

int timeout_for(std::uint64_t now, std::uint64_t until) {
    constexpr std::uint64_t kMillisecond = 1'000'000;
    if (until == kNever) return -1;
    if (until <= now) return 0;
    const std::uint64_t ms = (until - now - 1) / kMillisecond + 1;
    return static_cast<int>(std::min<std::uint64_t>(ms, std::numeric_limits<int>::max()));
}

std::span<lab04::Event> TimedSource::wait(std::uint64_t until) {
    for (;;) {
        const std::span<lab04::Event> events = look(timeout_for(kit::now(), until), until);
        if (!events.empty() || kit::now() >= until) return events;
    }
}

void TimerService::serve() {
    for (;;) {
        manager_.run_expired();
        const std::uint64_t next = manager_.next_deadline();
        if (next == kNever) return;
        lab04::sleep_for(kit::time_left(next));
    }
}

void TimerService::first_changed() {
    if (task_ && !task_.done())
        lab04::wake(task_);
    else if (manager_.next_deadline() != kNever)
        begin();
}

}  // namespace fiberscope::lab06
