// The two clocks of the kit. Virtual time makes a trace the same to the byte on every run; it moves when a program says
// work(), and a little at every switch, so that nothing on a timeline has zero width.
#pragma once

#include <cstdint>
#include <string_view>

#include "labs/kit/thread_state.h"

namespace fiberscope::kit {

enum class ClockKind : std::uint8_t { monotonic, virtual_ };

/// What a switch costs under the virtual clock, ns.
inline constexpr std::uint64_t kVirtualSwitchCost = 100;

namespace detail {
extern ClockKind clock_kind;
std::uint64_t monotonic_now() noexcept;
}  // namespace detail

/// Chooses the clock and sets it to 0. Before the first coroutine: a program has one clock.
void choose_clock(ClockKind kind);
inline ClockKind clock_kind() noexcept { return detail::clock_kind; }

/// ns since the clock was chosen (or the process began).
inline std::uint64_t now() noexcept {
    return detail::clock_kind == ClockKind::virtual_ ? this_thread().virtual_now : detail::monotonic_now();
}

/// There is nothing to do until the clock says `t` (ns): virtual time jumps there; under the monotonic clock the thread
/// sleeps. Returns at once if it is later already; on one of several machines (machines.h) also when it is unparked.
void idle_until(std::uint64_t t);

/// The running coroutine works for `ns`: virtual time moves on; under the monotonic clock the processor is kept busy.
void work(std::uint64_t ns);

}  // namespace fiberscope::kit
