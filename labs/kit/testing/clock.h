// Which clock a test runs by, and whether it is recorded. A test is also right when it is run by hand, so it says so
// first.
#pragma once

#include <cstdint>

#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit::testing {

using kit::kMicrosecond;
using kit::kMillisecond;
using kit::kSecond;

/// As each test begins.
inline void use_virtual_time() { choose_clock(ClockKind::virtual_); }
/// For what only the kernel can tell.
inline void use_real_time() { choose_clock(ClockKind::monotonic); }
/// The clocks that a stand may be made with.
inline constexpr ClockKind kRealTime = ClockKind::monotonic, kVirtualTime = ClockKind::virtual_;

/// For tests whose trace would be too long, or never the same.
inline void record_nothing(ClockKind clock = kVirtualTime) {
    end_trace();
    choose_clock(clock);
}

}  // namespace fiberscope::kit::testing
