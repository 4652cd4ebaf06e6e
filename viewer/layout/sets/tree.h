// A red-black tree as it is linked at the playhead, in the middle of a rotation too, when nodes hang loose and a child
// link and its parent link say different things; and a heap, as the tree that it stands for and below as its array.
// Every node has its own column, by its key, and keeps it through an operation: so a rotation is seen as nodes that go
// up and down.
#pragma once

#include "viewer/layout/base/index.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// Lays out `set`, a red-black tree or a heap of `replay` at its playhead, in `area`. `most`: how many it has in the
/// whole trace, so that nodes keep their size.
SetView layout_tree(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                    std::uint32_t most = 0);

/// The height at which as many levels as a tree of so many nodes usually has are drawn whole, pixels; of a heap, with
/// its array.
float wanted_tree_height(std::uint32_t nodes, float em) noexcept;
float wanted_heap_height(std::uint32_t nodes, float em) noexcept;

}  // namespace fiberscope::viewer
