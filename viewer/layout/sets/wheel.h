// A timing wheel at the playhead: a ring with its hand, and what stands in which slot. A wheel of 60,000 slots of which
// a hundred are in use would be a point: so one turn of what is drawn is as many slots as the trace needs, counted from
// the hand on, as the minutes of a clock; and a small ring within shows the whole wheel.
#pragma once

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// Lays out `set`, a wheel of `replay` at its playhead, in `area`; `facts` are its own.
SetView layout_wheel(const trace::Replay& replay, const trace::SetNow& set, const SetFacts& facts, Rect area,
                     const Metrics& metrics);

/// The height at which a wheel is drawn well, pixels.
float wanted_wheel_height(float em) noexcept;

}  // namespace fiberscope::viewer
