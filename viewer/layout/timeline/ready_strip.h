// Number of tasks in the ready queues over time, above the lanes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

struct PlotColumn {
    float x0 = 0, x1 = 0, low = 0, high = 0;  ///< pixels; low is the lower end (the larger y)
};
struct Plot {
    Rect rect;
    std::string name, words;  ///< "ready", "8, at most 12"; with a larger scale "8, at most 12 (top: 40)"
    std::string now;          ///< "8"
    /// Minimum and maximum per bucket of time; buckets have fixed boundaries, independent of the view.
    std::vector<PlotColumn> columns;
};

/// Number of tasks in the ready queues of all machines, on the timeline's axis; `most` is the minimum upper end of the
/// scale.
Plot layout_ready(const trace::Replay& replay, const TraceIndex& index, const TimeScale& scale, Rect rect,
                  const Metrics& metrics, std::uint32_t most);
/// Height in em; 0 if the trace has no ready queue.
float ready_lane_height(const TraceIndex& index) noexcept;

}  // namespace fiberscope::viewer
