// The clock of a test, and whether it is recorded. Tests set this first, so that they also work when run by hand.
#pragma once

#include <cstdint>

#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit::testing {

using kit::kMicrosecond;
using kit::kMillisecond;
using kit::kSecond;

/// The default at the start of each test.
inline void use_virtual_time() { choose_clock(ClockKind::virtual_); }
/// For tests that need the kernel's time.
inline void use_real_time() { choose_clock(ClockKind::monotonic); }
/// The clocks of a test fixture.
inline constexpr ClockKind kRealTime = ClockKind::monotonic, kVirtualTime = ClockKind::virtual_;

/// For tests whose trace would be too long or not reproducible.
inline void record_nothing(ClockKind clock = kVirtualTime) {
    end_trace();
    choose_clock(clock);
}

}  // namespace fiberscope::kit::testing
