// The two clocks of the kit. Virtual time makes a trace identical to the byte in every run; it advances when a program
// calls work() (machines/work.h), and a little at every switch, so that nothing on a timeline has zero width.
#pragma once

#include <atomic>
#include <cstdint>

#include "labs/kit/time/thread_variable.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit {

enum class ClockKind : std::uint8_t { monotonic, virtual_ };

/// Cost of a switch under the virtual clock, ns.
inline constexpr std::uint64_t kVirtualSwitchCost = 100;

extern "C" {
// __thread, not thread_local, which would add an initialisation wrapper.
extern __thread std::uint64_t fiberscope_virtual_now;
}

/// The virtual time of the calling thread, ns; each thread has its own. Meaningful under the virtual clock only.
KIT_THREAD_VARIABLE(std::uint64_t, virtual_now, fiberscope_virtual_now)

namespace detail {
extern ClockKind clock_kind;
/// Whether a trace is open or time is virtual; checked at every switch, in one branch.
[[gnu::visibility("hidden")]] extern std::atomic<bool> observed;
std::uint64_t monotonic_now() noexcept;
}  // namespace detail

/// Chooses the clock and sets it to 0. Called before the first coroutine: a program has only one clock.
void choose_clock(ClockKind kind);
inline ClockKind clock_kind() noexcept { return detail::clock_kind; }

/// ns since the clock was chosen (or the process began).
inline std::uint64_t now() noexcept {
    return detail::clock_kind == ClockKind::virtual_ ? virtual_now() : detail::monotonic_now();
}

/// Returns the time from now to `deadline`, ns: 0 if it has passed; kNever, without reading the clock, if it is kNever.
inline std::uint64_t time_left(std::uint64_t deadline) noexcept {
    return deadline == kNever ? kNever : minus(deadline, now());
}

/// Called when a trace has been opened or closed. Switches are observed while a trace is open or time is virtual.
void observe_switches(bool trace_is_open) noexcept;

}  // namespace fiberscope::kit
