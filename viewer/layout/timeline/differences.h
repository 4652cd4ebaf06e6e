// Where a run decides differently than another: a lane below the axis, with a bar for each stretch that differs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

/// What is to be shown of one run; null `stretches` if nothing is.
struct DifferenceView {
    const std::vector<Range>* stretches =
        nullptr;                        ///< ns, ascending; one without length: this run decides nothing there
    std::optional<std::size_t> chosen;  ///< index of the one that was gone to
};

/// A stretch in sight, or several that are too close to be told apart.
struct DifferenceBar {
    Rect rect;
    Rect sign;              ///< for "≠"; empty where another sign stands
    std::size_t index = 0;  ///< of several the first, or the chosen one
    bool chosen = false;
};

struct DifferenceLane {
    Rect names, rect;  ///< empty if nothing is to be shown
    std::string name;  ///< "≠ 14", with the number of the file if there is one
    std::vector<DifferenceBar> bars;

    /// The index of the stretch at a point, or of the nearest one within half an `em`; nothing if there is none.
    std::optional<std::size_t> at(Point p, float em) const noexcept;
};

/// The height of the lane in em; 0 if nothing is to be shown.
float difference_lane_height(const DifferenceView& view) noexcept;

/// In `rect`, with its name in `names`.
DifferenceLane layout_differences(const DifferenceView& view, const TimeScale& scale, const Metrics& metrics,
                                  Rect names, Rect rect);

}  // namespace fiberscope::viewer
