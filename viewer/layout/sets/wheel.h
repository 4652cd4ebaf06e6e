// A timing wheel at the playhead: a ring with its hand, and what stands in which slot. A wheel of 60,000 slots of which
// a hundred are in use would be a point: so one turn of what is drawn is as many slots as the trace needs, counted from
// the hand on, as the minutes of a clock; and a small ring within shows the whole wheel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_box.h"

namespace fiberscope::viewer {

/// A slot that is not empty, and the row beside the ring in which its members stand, in their order.
struct WheelSlot {
    std::int64_t slot = 0;
    Point dot;         ///< on the ring
    Point knee, edge;  ///< from the dot over the knee to the edge of the row
    Rect rect;         ///< of the row
    Rect number_rect;
    std::string number;
    std::vector<SetBox> items;
    Rect more_rect;
    std::string more;  ///< "+3": members that have no room; else empty
};

struct WheelMark {
    Point from, to;
    Rect text_rect;
    std::string text;  ///< the slot; empty for a small mark
};

/// A circle with a hand.
struct Dial {
    Point middle;
    float radius = 0;  ///< 0: not drawn
    Point hand;        ///< the tip
    std::vector<Point> dots;
    std::optional<Point> before;  ///< where it was before the event at the playhead
};

struct WheelView {
    Rect rect, title;
    std::uint32_t set = trace::kNone;
    std::string name;
    std::string words;  ///< "13 timers; the hand is at 15; 50 of 60,000 slots are drawn"
    Dial ring;
    Dial whole;  ///< the small one
    std::vector<WheelMark> marks;
    std::vector<WheelSlot> slots;  ///< in the order in which the hand comes to them
    Rect more_rect;
    std::string more;       ///< "and 3 slots more": which have no row; else empty
    bool hand_now = false;  ///< the event at the playhead moved the hand
};

/// Lays out `set`, a wheel of `replay` at its playhead, in `area`; `facts` are its own.
WheelView layout_wheel(const trace::Replay& replay, const trace::SetNow& set, const SetFacts& facts, Rect area,
                       const Metrics& metrics);

/// The height at which a wheel is drawn well, pixels.
float wanted_wheel_height(float em) noexcept;

}  // namespace fiberscope::viewer
