// How well a run was scheduled, in numbers that can be compared with those of another run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// The 50th and 99th percentile (nearest rank) and the maximum of a number of durations, in ns; 0 if there are none.
struct Spread {
    std::uint64_t p50 = 0, p99 = 0, max = 0;
    std::size_t count = 0;  ///< how many durations
};

struct Figures {
    std::uint64_t makespan = 0;  ///< ns, from the beginning to the last event
    std::uint64_t switches = 0;
    double idle = 0;      ///< the share of the machines' time in which they waited in the poller or were parked
    double spinning = 0;  ///< the share in which they went round and round and found no task to run
    double locked = 0;    ///< the share in which they waited for a lock that another machine held
    /// Jain's index of what each task got of the time in which it ran, was ready, or was due and not yet noticed (its
    /// deadline had passed): 1 if all alike.
    double fairness = 1;
    Spread overshoot;  ///< how much later than asked sleepers ran again
    std::uint64_t steals = 0;
    std::uint64_t moved = 0;    ///< tasks that were stolen
    std::uint64_t polls = 0;    ///< calls to the poller: waits, and descriptors added, changed, removed
    std::uint64_t parks = 0;    ///< how often a machine was parked
    std::uint64_t unparks = 0;  ///< how often one was woken
    std::uint64_t copied = 0;   ///< bytes copied out of shared stacks and back
    Spread answer;              ///< how long clients waited for their answers: traces/replay/answers.h
    /// Calls for input and output that tasks made, each once however often it was tried, and the polls.
    std::uint64_t calls = 0;
    /// How long tasks waited for a machine, each time: while they were ready, or due and not yet noticed. None if the
    /// recording does not tell when a task becomes ready.
    Spread waiting;
    double queue = 0;              ///< how many waited for one, on the average over time: traces/replay/ready.h
    std::uint32_t queue_most = 0;  ///< the most that did at once
};

Spread spread_of(std::vector<std::uint64_t> durations);

/// Of the whole run, wherever the playhead is.
Figures figures_of(const Replay& replay);

}  // namespace fiberscope::trace
