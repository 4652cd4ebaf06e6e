// A timing wheel at the playhead: a ring with its hand, and the members by slot. A wheel may have 60,000 slots of which
// a hundred are used, so one turn of the drawing covers only as many slots as the trace needs, counted from the hand,
// and a small inner ring shows the whole wheel.
#pragma once

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// Lays out `set`, a wheel at the playhead of `replay`, in `area`; `facts` are those of the set.
SetView layout_wheel(const trace::Replay& replay, const trace::SetNow& set, const SetFacts& facts, Rect area,
                     const Metrics& metrics);

/// Preferred height of a wheel, pixels.
float wanted_wheel_height(float em) noexcept;

}  // namespace fiberscope::viewer
