// How well a run was scheduled, in numbers that can be compared with those of another run.
#pragma once

#include <cstdint>

#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// The 50th and 99th percentile of a number of durations, and the longest; ns. 0 if there is none.
struct Spread {
    std::uint64_t p50 = 0, p99 = 0, max = 0;
};

struct Figures {
    std::uint64_t makespan = 0;  ///< ns, from the beginning to the last event
    Spread ready;                ///< how long tasks were ready and did not run, each time
    std::uint64_t switches = 0;
    double idle = 0;  ///< the share of the machines' time in which they polled or were parked
    double fairness =
        1;             ///< Jain's index of what each task got of the time in which it ran or was ready: 1 if all alike
    Spread overshoot;  ///< how much later than asked those who slept ran again
    std::uint64_t steals = 0;
};

/// Of the whole run, wherever the playhead is.
Figures figures_of(const Replay& replay);

}  // namespace fiberscope::trace
