// The shape of a linked tree, intact or during an operation: the column and level of each node, without pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traces/replay/replay.h"
#include "traces/words/steps.h"

namespace fiberscope::viewer {

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// Position of the node of the same index in SetNow::nodes.
struct TreePlace {
    std::size_t column = 0;  ///< by key, from 0
    std::size_t level = 0;   ///< from 0 at the top
    bool loose = false;      ///< not reachable from the root
    std::size_t size = 1;    ///< size of its subtree
    // Indices of linked nodes; kNowhere if there is none.
    std::size_t left, right, parent;
    std::size_t member;  ///< its index in SetNow::members; kNowhere while it is being inserted
};
struct TreeShape {
    std::vector<TreePlace> nodes;        ///< parallel to SetNow::nodes
    std::vector<std::size_t> by_column;  ///< nodes from left to right
    std::size_t root = kNowhere;
};

TreeShape shape_of(const trace::Trace& trace, const trace::SetNow& set);

/// The places of a heap as nodes, in order. If two members have the same place, the later one gets it, and the other is
/// in transit: it is put at a free place and marked as loose. `held`: the first such place.
TreeShape heap_shape(const trace::SetNow& set, std::size_t& held);

/// The tree before a rotation, or `after` it.
trace::SetNow turned(trace::SetNow set, const trace::Rotation& rotation, bool after);

/// The tree with the node removed by event `left` appended at its old position; of its links only that to its parent is
/// kept. Empty if the node is unknown or still in the tree.
std::optional<trace::SetNow> with_gone(const trace::SetNow& set, const trace::Event& left);

}  // namespace fiberscope::viewer
