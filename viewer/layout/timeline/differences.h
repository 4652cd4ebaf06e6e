// Differences between the decisions of two runs: a lane below the axis, with a bar per differing stretch.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

/// The differences of one run; null `stretches`: nothing to show.
struct DifferenceView {
    const std::vector<Range>* stretches = nullptr;  ///< ns, ascending; an empty one: this run decides nothing there
    std::optional<std::size_t> chosen;              ///< index of the current one
};

/// A visible stretch, or several that are too close to distinguish.
struct DifferenceBar {
    Rect rect;
    Rect sign;              ///< for "≠"; empty if another sign is there
    std::size_t index = 0;  ///< of several the first, or the chosen one
    bool chosen = false;
};

struct DifferenceLane {
    Rect names, rect;  ///< empty if there is nothing to show
    std::string name;  ///< "≠ 14", with the number of the file if there is one
    std::vector<DifferenceBar> bars;

    /// Index of the stretch at `p`, or of the nearest within half an `em`; nothing if there is none.
    std::optional<std::size_t> at(Point p, float em) const noexcept;
};

/// Height of the lane in em; 0 if there is nothing to show.
float difference_lane_height(const DifferenceView& view) noexcept;

/// Lays out in `rect`, with the name in `names`.
DifferenceLane layout_differences(const DifferenceView& view, const TimeScale& scale, const Metrics& metrics,
                                  Rect names, Rect rect);

}  // namespace fiberscope::viewer
