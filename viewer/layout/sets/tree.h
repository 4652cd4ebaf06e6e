// A red-black tree as linked at the playhead, even during a rotation, when nodes are unreachable or child and parent
// links disagree; and a heap, as a tree with its array below. Each node keeps its own column, by key, through an
// operation, so that a rotation only moves nodes up and down.
#pragma once

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// Lays out `set`, a red-black tree or heap at the playhead of `replay`, in `area`. `most`: maximum size in the whole
/// trace, so that nodes keep their size.
SetView layout_tree(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                    std::uint32_t most = 0);

/// Height at which a tree of `nodes` nodes usually fits completely, pixels; for a heap, with its array.
float wanted_tree_height(std::uint32_t nodes, float em) noexcept;
float wanted_heap_height(std::uint32_t nodes, float em) noexcept;

}  // namespace fiberscope::viewer
