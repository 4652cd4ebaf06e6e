// How many tasks could run and do not, over time: the length of the ready queue, or of all of them together where each
// machine has its own. One whose deadline has passed could run too, before a scheduler has noticed: some look seldom,
// and would else seem to let no task wait.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// From when on a task could run in this stretch, in which it does not, ns: all of `ready`, and of `sleeping` and
/// `waiting` what lies after the deadline. kNever: not at all.
std::uint64_t could_run_from(const Trace& trace, const Stretch& stretch) noexcept;
inline constexpr std::uint64_t kNever = UINT64_MAX;

/// Each time that a task began to run after it could: how long it waited, ns. Of all tasks, in no order.
std::vector<std::uint64_t> waits_of(const Replay& replay);

/// By coroutine: whether it is a task.
std::vector<bool> tasks_of(const Trace& trace);

class ReadyLength {
  public:
    /// Of the whole run, wherever the playhead is. 24 bytes for each change.
    explicit ReadyLength(const Replay& replay);

    std::uint32_t most() const noexcept { return most_; }
    /// Over [from, to] in ns; 0 if that is empty.
    double mean(double from, double to) const noexcept;
    /// The mean in each of `parts` equal parts of the run.
    std::vector<double> means(std::size_t parts) const;
    std::uint64_t end() const noexcept { return end_; }  ///< ns

    struct Step {
        std::uint64_t t;       ///< ns
        std::uint32_t length;  ///< from then on
        double before;         ///< the sum of length * ns until then
    };
    /// Where the length changed, in order of time, each time once. It is 0 before the first.
    const std::vector<Step>& steps() const noexcept { return steps_; }

  private:
    double sum_until(double t) const noexcept;

    std::vector<Step> steps_;
    std::uint32_t most_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace fiberscope::trace
