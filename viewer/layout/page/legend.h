// The legend: the signs that a trace uses with their words, in as many lines as needed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

enum class LegendSign : std::uint8_t {
    state,
    idle,
    copy_out,
    copy_in,
    note,
    fault,
    access,
    hazard,
    lock_wait,
    steal,
    red_node,
    black_node,
    in_hand,
    hand,
    switch_,
    playhead,
    several
};

struct LegendItem {
    LegendSign sign = LegendSign::state;
    trace::State state = trace::State::new_;  ///< of the sign of a state
    trace::Idle idle = trace::Idle::none;     ///< of the sign of an idle machine
    std::string word;                         ///< of a state: the lab's own word, with ours
    Rect place;                               ///< of the sign; the word is at its right
};

struct Legend {
    std::vector<LegendItem> items;
    float height = 0;  ///< of all lines
};

/// A trace whose signs the legend explains.
struct LegendSource {
    const trace::Trace* trace;
    const TraceIndex* index;
    bool sets = false;  ///< its sets are drawn
};
/// The legend of the shown traces (at least one), laid out from the origin in lines of `width` pixels.
Legend layout_legend(std::span<const LegendSource> sources, float width, const Metrics& metrics);

}  // namespace fiberscope::viewer
