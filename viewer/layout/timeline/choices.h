// The choice points of an explorer as a lane above the others: which machine continued, and which could have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/scale.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

/// A choice, or several that are too close to distinguish.
struct ChoiceMark {
    Rect rect;
    std::uint32_t event = 0;   ///< of several: the first
    std::uint32_t merged = 0;  ///< their number if several; else 0
    bool costs = false;        ///< a preemption or a delayed store; of several: any of them
    bool at_playhead = false;
    std::string chosen;  ///< the machine that continued: "1"; "…" for a delayed store
    std::string others;  ///< the alternatives: "not 0, 2"; empty if they do not fit
    float others_x = 0;
};

struct ChoiceLane {
    Rect names, rect;  ///< empty if the trace has no choices
    std::vector<ChoiceMark> marks;
};

/// Height of the lane in em; 0 if the trace has no choices.
float choice_lane_height(const TraceIndex& index) noexcept;

ChoiceLane layout_choices(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                          const TimeScale& scale, const Metrics& metrics, Rect names, Rect rect);

}  // namespace fiberscope::viewer
