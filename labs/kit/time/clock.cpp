#include "labs/kit/time/clock.h"

#include <memory>

#include "labs/kit/time/cycle_clock.h"

namespace fiberscope::kit {

extern "C" {
__thread std::uint64_t fiberscope_virtual_now = 0;
}

namespace detail {

ClockKind clock_kind = ClockKind::monotonic;
std::atomic<bool> observed{false};

namespace {
bool trace_open = false;

std::unique_ptr<CycleClock>& cycle_clock() {
    static auto clock = std::make_unique<CycleClock>();
    return clock;
}
}  // namespace

std::uint64_t monotonic_now() noexcept { return cycle_clock()->now(); }

}  // namespace detail

void observe_switches(bool trace_is_open) noexcept {
    detail::trace_open = trace_is_open;
    detail::observed = trace_is_open || detail::clock_kind == ClockKind::virtual_;
}

void choose_clock(ClockKind kind) {
    detail::clock_kind = kind;
    if (kind == ClockKind::monotonic) detail::cycle_clock() = std::make_unique<CycleClock>();
    virtual_now() = 0;
    observe_switches(detail::trace_open);
}

}  // namespace fiberscope::kit
