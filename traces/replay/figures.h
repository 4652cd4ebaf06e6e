// Scheduling metrics of a run, for comparison with other runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// The 50th and 99th percentile (nearest rank) and the maximum of a number of durations, in ns; 0 if there are none.
struct Spread {
    std::uint64_t p50 = 0, p99 = 0, max = 0;
    std::size_t count = 0;  ///< number of durations
};

struct Figures {
    std::uint64_t makespan = 0;  ///< ns, from the beginning to the last event
    std::uint64_t switches = 0;
    double idle = 0;      ///< share of the machines' time that they waited in the poller or were parked
    double spinning = 0;  ///< share that they polled repeatedly without finding a task to run
    double locked = 0;    ///< share that they waited for a lock held by another machine
    /// Jain's index of each task's share: its running time relative to the time in which it ran, was ready, or was due
    /// but not yet noticed (its deadline had passed). 1 means all alike.
    double fairness = 1;
    Spread overshoot;  ///< how much later than requested sleepers ran again
    std::uint64_t steals = 0;
    std::uint64_t moved = 0;    ///< tasks that were stolen
    std::uint64_t polls = 0;    ///< calls to the poller: waits, and descriptors added, changed, removed
    std::uint64_t parks = 0;    ///< times that a machine was parked
    std::uint64_t unparks = 0;  ///< times that a machine was woken
    std::uint64_t copied = 0;   ///< bytes copied out of shared stacks and back
    Spread answer;              ///< response times of clients: traces/replay/answers.h
    /// Calls for input and output by tasks, each counted once however often it was retried, plus the polls.
    std::uint64_t calls = 0;
    /// How long tasks waited for a machine, each time: while ready, or due but not yet noticed. None if the recording
    /// does not show when a task becomes ready.
    Spread waiting;
    double queue = 0;              ///< average number of tasks waiting, over time: traces/replay/ready.h
    std::uint32_t queue_most = 0;  ///< maximum number of tasks waiting
};

Spread spread_of(std::vector<std::uint64_t> durations);

/// For the whole run, independent of the playhead.
Figures figures_of(const Replay& replay);

}  // namespace fiberscope::trace
