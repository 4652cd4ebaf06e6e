// The shape of a linked tree, whole or in the middle of an operation: which column and which level each node has. No
// pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traces/replay/replay.h"
#include "traces/words/steps.h"

namespace fiberscope::viewer {

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// A node of SetNow::nodes by its place there.
struct TreePlace {
    std::size_t column = 0;  ///< by key, from 0
    std::size_t level = 0;   ///< from 0 at the top
    bool loose = false;      ///< cannot be reached from the root
    std::size_t size = 1;    ///< nodes below it, with itself
    // Places of those it is linked with, kNowhere if there are none.
    std::size_t left, right, parent;
    std::size_t member;  ///< its place in SetNow::members; kNowhere while it is just entering
};
struct TreeShape {
    std::vector<TreePlace> nodes;        ///< as in SetNow::nodes
    std::vector<std::size_t> by_column;  ///< the nodes from left to right
    std::size_t root = kNowhere;
};

TreeShape shape_of(const trace::Trace& trace, const trace::SetNow& set);

/// Of a heap: its places as nodes, in their order. If two members name one place, the later one stands there and the
/// other is in hand; what is in hand stands at a free place, and is loose there. `held`: the first such place.
TreeShape heap_shape(const trace::SetNow& set, std::size_t& held);

/// The tree as it was before a rotation of it, or as it will be `after` it.
trace::SetNow turned(trace::SetNow set, const trace::Rotation& rotation, bool after);

/// The tree with what event `left` took out of it as its last node, which hangs where it was: of its links only that to
/// its parent is kept. Nothing if it is not known, or is in the tree.
std::optional<trace::SetNow> with_gone(const trace::SetNow& set, const trace::Event& left);

}  // namespace fiberscope::viewer
