// The sets at the playhead: queues as rows of boxes in their order, with what does not fit counted; red-black trees as
// trees, heaps as trees and arrays, wheels as rings; a steal as an arrow from one machine's queue to another's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// A steal that is happening at the playhead.
struct StealArrow {
    Point from, to;     ///< from the victim's queue to the thief's
    std::string count;  ///< "2"
};

struct Sets {
    std::string heading;
    std::vector<SetView> queues, trees, heaps, wheels;
    std::optional<StealArrow> steal;
    Rect more_rect;
    std::string more;  ///< "and 3 more sets"; else empty
};

struct SetsRequest {
    const trace::Replay& replay;  ///< at the playhead
    const TraceIndex& index;
    Rect area;
    Metrics metrics;
};
Sets layout_sets(const SetsRequest& request);

/// Whether the trace has sets that are worth a panel: with those that can run, sleep or wait.
bool has_sets_to_draw(const TraceIndex& index) noexcept;

/// Whether any set is drawn in a shape of its own: a tree, a heap, a wheel.
bool has_shapes(const TraceIndex& index) noexcept;

/// Whether a set of this structure is drawn in a shape of its own.
bool draws_shape(const TraceIndex& index, trace::Structure structure) noexcept;

/// The height at which all of it is visible in `width`, pixels; it does not depend on the playhead.
float wanted_sets_height(const TraceIndex& index, float width, float em) noexcept;

}  // namespace fiberscope::viewer
