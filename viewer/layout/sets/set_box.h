// A member of a set, drawn as a box: in the row of a queue, or beside the ring of a wheel.
#pragma once

#include <cstdint>
#include <string>

#include "traces/schema/schema.h"
#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

struct SetBox {
    Rect rect;
    std::uint32_t co = trace::kNone, timer = trace::kNone;  ///< one of both
    trace::State state = trace::State::new_;
    std::string name;    ///< what fits
    std::string detail;  ///< all of it, with its key and place
    bool now = false;    ///< entered by the event at the playhead
    bool ghost = false;  ///< has just left this place for another set
};

}  // namespace fiberscope::viewer
