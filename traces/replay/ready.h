// The number of tasks that could run but do not, over time: the length of the ready queue, or the total where each
// machine has its own. A task whose deadline has passed counts even before its scheduler has noticed; otherwise a
// scheduler that rarely checks would seem to have no waiting tasks.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// The time in ns from which a task could run in this stretch, in which it does not: all of `ready`, and the part of
/// `sleeping` and `waiting` after the deadline. kNever: not at all.
std::uint64_t could_run_from(const Trace& trace, const Stretch& stretch) noexcept;
inline constexpr std::uint64_t kNever = UINT64_MAX;

/// The waiting times of all tasks, in ns, one for each time that a task began to run after it could; unordered.
std::vector<std::uint64_t> waits_of(const Replay& replay);

/// By coroutine: whether it is a task.
std::vector<bool> tasks_of(const Trace& trace);

class ReadyLength {
  public:
    /// For the whole run, independent of the playhead. 24 bytes for each change.
    explicit ReadyLength(const Replay& replay);

    std::uint32_t most() const noexcept { return most_; }
    /// The mean over [from, to] in ns; 0 if that is empty.
    double mean(double from, double to) const noexcept;
    /// The mean in each of `parts` equal parts of the run.
    std::vector<double> means(std::size_t parts) const;
    std::uint64_t end() const noexcept { return end_; }  ///< ns

    struct Step {
        std::uint64_t t;       ///< ns
        std::uint32_t length;  ///< from then on
        double before;         ///< the integral of the length until then, in ns
    };
    /// (time, length) breakpoints, sorted, unique; the length is 0 before the first.
    const std::vector<Step>& steps() const noexcept { return steps_; }

  private:
    double sum_until(double t) const noexcept;

    std::vector<Step> steps_;
    std::uint32_t most_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace fiberscope::trace
