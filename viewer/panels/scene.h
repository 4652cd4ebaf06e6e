// Parameters of every panel: the trace at the playhead, and how to draw. The selection, which panels change, is passed
// separately.
#pragma once

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"
#include "viewer/panels/style.h"

namespace fiberscope::viewer {

struct Scene {
    const trace::Replay& replay;  ///< at the selection's playhead
    const TraceIndex& index;
    const Style& style;
    double glide = 0;  ///< duration of a set animation in seconds; 0: none
};

}  // namespace fiberscope::viewer
