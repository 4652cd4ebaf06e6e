// What every panel is given: the trace at the playhead, and how to draw. The selection is given beside it, to be
// changed.
#pragma once

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"
#include "viewer/panels/style.h"

namespace fiberscope::viewer {

struct Scene {
    const trace::Replay& replay;  ///< at the selection's playhead
    const TraceIndex& index;
    const Style& style;
    double glide = 0;  ///< seconds in which members of sets go to a new place; 0: they are there at once
};

}  // namespace fiberscope::viewer
