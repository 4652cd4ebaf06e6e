#include "labs/kit/clock.h"

#include <memory>

#include "labs/kit/cycle_clock.h"
#include "labs/kit/transfer.h"

namespace fiberscope::kit {

namespace detail {

ClockKind clock_kind = ClockKind::monotonic;

namespace {
std::unique_ptr<CycleClock>& cycle_clock() {
    static auto clock = std::make_unique<CycleClock>();
    return clock;
}
}  // namespace

std::uint64_t monotonic_now() noexcept { return cycle_clock()->now(); }

}  // namespace detail

void choose_clock(ClockKind kind) {
    detail::clock_kind = kind;
    if (kind == ClockKind::monotonic) detail::cycle_clock() = std::make_unique<CycleClock>();
    thread_state().virtual_now = 0;
    detail::observed = kind == ClockKind::virtual_ || trace::recording();
}

void work(std::uint64_t ns) {
    if (detail::clock_kind == ClockKind::virtual_) {
        this_thread().virtual_now += ns;
        return;
    }
    const std::uint64_t until = now() + ns;
    while (now() < until) {
    }
}

}  // namespace fiberscope::kit
