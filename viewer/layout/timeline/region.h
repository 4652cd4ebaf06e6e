// A selected span of time.
#pragma once

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {

/// The time at point `p`, ns, snapped to the nearest end of a stretch in the lane there, or else to the nearest event,
/// within `reach` pixels.
double snapped(const TimelineRequest& request, const Timeline& timeline, Point p, float reach) noexcept;

}  // namespace fiberscope::viewer
