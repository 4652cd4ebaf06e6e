// A span of time that is looked at by itself.
#pragma once

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {

/// The time at point `p`, ns, moved to what is nearest within `reach` pixels: an end of a stretch in the lane there, or
/// else an event.
double snapped(const TimelineRequest& request, const Timeline& timeline, Point p, float reach) noexcept;

}  // namespace fiberscope::viewer
