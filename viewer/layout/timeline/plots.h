// How many members each set has over time, as plots below the lanes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/length_steps.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

/// The lengths of all sets over the whole trace. Goes through the trace once.
class SetLengths {
  public:
    explicit SetLengths(const trace::Trace& trace);

    const LengthSteps& of(std::uint32_t set) const noexcept { return steps_[set]; }
    /// By set: the most that it has some events before event n, or after it.
    std::vector<std::uint32_t> most_near(std::size_t n) const;

  private:
    std::vector<LengthSteps> steps_;  // by set
};

/// By the name of a set: how many members the top of its plot stands for, where several files have one scale.
using PlotScales = std::map<std::string, std::uint32_t, std::less<>>;

struct PlotColumn {
    float x0 = 0, x1 = 0, low = 0, high = 0;  ///< pixels; low is the lower end (the larger y)
};
struct Plot {
    Rect rect;
    std::string name, words;  ///< "ready", "8, at most 12"; with a larger scale "8, at most 12 (top: 40)"
    std::string now;          ///< "8"
    /// The least and the most in each bucket of time: columns begin at the same times wherever the view does.
    std::vector<PlotColumn> columns;
};

/// How many tasks stand in the ready queues of all machines together, on the axis of the timeline; `most` is what its
/// top stands for at least.
Plot layout_ready(const trace::Replay& replay, const TraceIndex& index, const TimeScale& scale, Rect rect,
                  const Metrics& metrics, std::uint32_t most);
/// Its height in em; 0 if the trace has no ready queue.
float ready_lane_height(const TraceIndex& index) noexcept;

/// The height of a plot, and of the gap above the first, in em; so many are shown at most.
inline constexpr float kPlot = 2.3F, kPlotGap = 0.3F;
inline constexpr std::size_t kMostPlots = 4;
/// How many plots a trace has: one for each set that ever has members.
std::size_t count_plots(const TraceIndex& index) noexcept;

/// Plots from y0 downwards on the axis of the timeline; those of the longest sets if there are more than `most`.
std::vector<Plot> layout_plots(const trace::Replay& replay, const TraceIndex& index, const SetLengths& lengths,
                               const TimeScale& scale, float y0, const Metrics& metrics, std::size_t most = kMostPlots,
                               const PlotScales* scales = nullptr);

}  // namespace fiberscope::viewer
