#include "labs/kit/clock.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "labs/kit/cycle_clock.h"
#include "labs/kit/machines.h"
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

void idle_until(std::uint64_t t) {
    if (Machines* machines = Machines::of_this_thread(); machines != nullptr) {
        if (now() < t) machines->park(t);
        return;
    }
    if (detail::clock_kind == ClockKind::virtual_) {
        std::uint64_t& here = this_thread().virtual_now;
        here = std::max(here, t);
        return;
    }
    for (std::uint64_t before = now(); before < t; before = now())
        std::this_thread::sleep_for(std::chrono::nanoseconds(t - before));
}

void work(std::uint64_t ns) {
    if (detail::clock_kind == ClockKind::virtual_) {
        this_thread().virtual_now += ns;
        Machines::pace();
        return;
    }
    const std::uint64_t until = now() + ns;
    while (now() < until) {
    }
}

}  // namespace fiberscope::kit
