// The choice points of an explorer as a lane above the others: at each one which machine went on, and which could have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/scale.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

/// A choice, or several that are too close to be told apart.
struct ChoiceMark {
    Rect rect;
    std::uint32_t event = 0;   ///< of several: the first
    std::uint32_t merged = 0;  ///< how many they are, if they are several; else 0
    bool costs = false;        ///< a preemption, or a store that is seen later; of several: one of them
    bool at_playhead = false;
    std::string chosen;  ///< the machine that went on: "1"; "…" of a store that is seen later
    std::string others;  ///< those that could have: "not 0, 2"; empty without room
    float others_x = 0;
};

struct ChoiceLane {
    Rect names, rect;  ///< empty if the trace has no choice
    std::vector<ChoiceMark> marks;
};

/// The height of the lane in em; 0 if the trace has no choice.
float choice_lane_height(const TraceIndex& index) noexcept;

ChoiceLane layout_choices(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                          const TimeScale& scale, const Metrics& metrics, Rect names, Rect rect);

}  // namespace fiberscope::viewer
