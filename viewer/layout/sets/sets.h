// The sets at the playhead: queues as rows of boxes in order, with a count of those that do not fit; red-black trees;
// heaps as trees and arrays; wheels as rings; a steal as an arrow between two queues.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// A steal at the playhead.
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

/// Whether the trace has sets worth a panel: of runnable, sleeping or waiting members.
bool has_sets_to_draw(const TraceIndex& index) noexcept;

/// Whether any set is drawn as a tree, heap or wheel.
bool has_shapes(const TraceIndex& index) noexcept;

/// Whether any set of this structure is drawn as a tree, heap or wheel.
bool draws_shape(const TraceIndex& index, trace::Structure structure) noexcept;

/// Height at which everything is visible in `width`, pixels; independent of the playhead.
float wanted_sets_height(const TraceIndex& index, float width, float em) noexcept;

}  // namespace fiberscope::viewer
