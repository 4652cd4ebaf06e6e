// The sets at the playhead: queues as rows of boxes in their order, with what does not fit counted; red-black trees as
// trees, heaps as trees and arrays, wheels as rings; a steal as an arrow from one machine's queue to another's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/layout/sets/heap.h"
#include "viewer/layout/sets/set_box.h"
#include "viewer/layout/sets/tree.h"
#include "viewer/layout/sets/wheel.h"

namespace fiberscope::viewer {

/// A queue, or what else has no shape of its own to draw.
struct QueueRow {
    Rect rect, title;
    std::uint32_t set = trace::kNone;
    std::string name;   ///< "ready", "local queue of machine 1"
    std::string words;  ///< "4 can run"
    bool declared = true;
    Rect head;  ///< for "head", before the first box
    std::vector<SetBox> boxes;
    Rect more_rect;
    std::string more;  ///< "and 9,984 more"; else empty
    Rect left_rect;    ///< what left by the event at the playhead, before the head
    std::uint32_t left_co = trace::kNone, left_timer = trace::kNone;  ///< what that is
    bool left_ghost = false;                                          ///< it is on its way into another set
    std::string left;                                                 ///< else empty
};

/// A steal that is happening at the playhead.
struct StealArrow {
    Point from, to;     ///< from the victim's queue to the thief's
    std::string count;  ///< "2"
};

struct Sets {
    std::string heading;
    std::vector<QueueRow> queues;
    std::vector<TreeView> trees;
    std::vector<HeapView> heaps;
    std::vector<WheelView> wheels;
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

/// The same where the sets have `most` members, by the number of the set; but a tree is as high as it is now.
float sets_height_near(const trace::Replay& replay, const TraceIndex& index, std::span<const std::uint32_t> most,
                       float width, float em);

}  // namespace fiberscope::viewer
