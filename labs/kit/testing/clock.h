// Which clock a test runs by, and whether it is recorded. A test is also right when it is run by hand, so it says so
// first.
#pragma once

#include <cstdint>

#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::kit::testing {

inline constexpr std::uint64_t kMicrosecond = 1'000;
inline constexpr std::uint64_t kMillisecond = 1'000'000;
inline constexpr std::uint64_t kSecond = 1'000'000'000;

inline void use_virtual_time() { choose_clock(ClockKind::virtual_); }
/// For what only the kernel can tell.
inline void use_real_time() { choose_clock(ClockKind::monotonic); }

/// For tests whose trace would be too long, or never the same. In virtual time.
inline void record_nothing() {
    end_trace();
    use_virtual_time();
}

}  // namespace fiberscope::kit::testing
