// Records a wait for events as a poll, which begins before the first wake-up that it causes.
#include "labs/04_scheduler/event_source.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

namespace {

/// The current wait of this thread, which does not switch meanwhile.
struct Polling {
    bool is_recorded = true;
    std::size_t told = 0;  ///< listeners that the source has notified itself
};
thread_local Polling polling;

void record_enter(std::uint64_t until) {
    const std::uint64_t now = kit::now();
    const auto timeout = until == kNever ? -1 : kit::in_trace(kit::minus(until, now));
    if (trace::recording()) trace::record(now, trace::poll_event(trace::PollPhase::enter, timeout));
    polling.is_recorded = true;
}

}  // namespace

std::span<Event> EventSource::poll(std::uint64_t until) {
    if (!trace::recording()) return wait(until);
    polling = {.is_recorded = false};
    if (until != 0) record_enter(until);
    const std::span<Event> events = wait(until);
    const std::size_t found = events.size() + polling.told;
    if (found != 0 && !polling.is_recorded) record_enter(0);
    if (polling.is_recorded && trace::recording())
        trace::record(kit::now(),
                      trace::poll_event(trace::PollPhase::leave, trace::kAbsent, static_cast<std::uint32_t>(found)));
    polling.is_recorded = true;
    return events;
}

void EventSource::tells_other() {
    ++polling.told;
    if (!polling.is_recorded) record_enter(0);
}

}  // namespace fiberscope::lab04
