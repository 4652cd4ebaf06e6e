// The two clocks of the kit. Virtual time makes a trace the same to the byte on every run; it moves when a program says
// work() (machines/work.h), and a little at every switch, so that nothing on a timeline has zero width.
#pragma once

#include <atomic>
#include <cstdint>

#include "labs/kit/time/thread_variable.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit {

enum class ClockKind : std::uint8_t { monotonic, virtual_ };

/// What a switch costs under the virtual clock, ns.
inline constexpr std::uint64_t kVirtualSwitchCost = 100;

extern "C" {
// __thread, not thread_local: no initialisation wrapper stands between a switch and its thread.
extern __thread std::uint64_t fiberscope_virtual_now;
}

/// The virtual time of the thread that runs this, in ns: each thread has its own. Meaningful under the virtual clock.
KIT_THREAD_VARIABLE(std::uint64_t, virtual_now, fiberscope_virtual_now)

namespace detail {
extern ClockKind clock_kind;
/// A trace is open or time is virtual: what every switch asks, in one branch.
[[gnu::visibility("hidden")]] extern std::atomic<bool> observed;
std::uint64_t monotonic_now() noexcept;
}  // namespace detail

/// Chooses the clock and sets it to 0. Before the first coroutine: a program has one clock.
void choose_clock(ClockKind kind);
inline ClockKind clock_kind() noexcept { return detail::clock_kind; }

/// ns since the clock was chosen (or the process began).
inline std::uint64_t now() noexcept {
    return detail::clock_kind == ClockKind::virtual_ ? virtual_now() : detail::monotonic_now();
}

/// The time from now to `deadline`, ns: 0 if it has passed; kNever if it is kNever, and then the clock is not read.
inline std::uint64_t time_left(std::uint64_t deadline) noexcept {
    return deadline == kNever ? kNever : minus(deadline, now());
}

/// To be called when a trace has been opened or closed: switches are observed while one is open or time is virtual.
void observe_switches(bool trace_is_open) noexcept;

}  // namespace fiberscope::kit
