// A heap at the playhead, twice: as the tree that it stands for, and below as its array. While one sifts, it is held in
// hand over the place that is free: it is drawn there, but not as one that stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// One place of the array, and what is there.
struct HeapItem {
    std::size_t place = 0;
    std::uint32_t co = trace::kNone, timer = trace::kNone;  ///< one of both
    trace::State state = trace::State::new_;
    Rect node;              ///< in the tree; empty: its level is not drawn
    std::string name, key;  ///< what fits into `node`
    Rect cell;              ///< in the array; empty: there is no room for it
    std::string cell_name;
    Rect index_rect;  ///< below the cell
    std::string index;
    std::string detail;  ///< all of it, as a sentence
    Rect below_rect;
    std::string below;     ///< "+12": so many below it are not drawn; else empty
    bool in_hand = false;  ///< on its way: this place is free, and it may come to stand here
    bool now = false;      ///< the event at the playhead put it here
};

/// From a parent to its child; if the event at the playhead moved an item along it, in the direction of the move.
struct HeapLine {
    Point from, to;
    bool now = false;
};

struct HeapView {
    Rect rect, title;
    std::uint32_t set = trace::kNone;
    std::string name;
    std::string words;            ///< "13 timers, by deadline, ns", or which one leaves, or is on the way
    std::vector<HeapItem> items;  ///< by place; of a very large heap the first only
    std::vector<HeapLine> lines;
    Rect more_rect;
    std::string more;  ///< "+485": so many do not fit into the array; else empty
};

/// Lays out `set`, a heap of `replay` at its playhead, in `area`. `most`: how many it has in the whole trace, so that
/// nodes keep their size.
HeapView layout_heap(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                     std::uint32_t most = 0);

/// The height at which a heap of so many is drawn well, pixels.
float wanted_heap_height(std::uint32_t members, float em) noexcept;

}  // namespace fiberscope::viewer
