// How many members each set has over time, as plots below the lanes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

/// The lengths of all sets over the whole trace. Goes through the trace once; 8 bytes for each insert and remove.
class SetLengths {
  public:
    explicit SetLengths(const trace::Trace& trace);

    std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(steps_.size()); }
    /// Members of `set` after event n.
    std::uint32_t at(std::uint32_t set, std::size_t n) const noexcept;
    /// The least and the most that it has from event `first` to before event `last`.
    struct Bounds {
        std::uint32_t least = 0, most = 0;
    };
    Bounds within(std::uint32_t set, std::size_t first, std::size_t last) const noexcept;
    std::uint32_t most(std::uint32_t set) const noexcept { return within(set, 0, SIZE_MAX).most; }
    /// By set: the most that it has some events before event n, or after it.
    std::vector<std::uint32_t> most_near(std::size_t n) const;

  private:
    struct Step {
        std::uint32_t event, length;
    };
    std::size_t steps_until(std::uint32_t set, std::size_t n) const noexcept;
    std::vector<std::vector<Step>> steps_;     // by set: after each event that changed it
    std::vector<std::vector<Bounds>> blocks_;  // by set: of kBlock steps each
};

/// By the name of a set: how many members the top of its plot stands for, where several files have one scale.
using PlotScales = std::map<std::string, std::uint32_t, std::less<>>;

struct PlotColumn {
    float x = 0, low = 0, high = 0;  ///< pixels; low is the lower end (the larger y)
};
struct Plot {
    Rect rect;
    std::string name, words;  ///< "ready", "8, at most 12"; with a larger scale "8, at most 12 (top: 40)"
    std::string now;          ///< "8"
    float column = 0;         ///< the width of a column, pixels
    std::vector<PlotColumn> columns;
};

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
