// A red-black tree as it is linked at the playhead, as boxes and lines: in the middle of a rotation too, when nodes
// hang loose and a child link and its parent link say different things. Every node has its own column, by its key, and
// keeps it through an operation: so a rotation is seen as nodes that go up and down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

inline constexpr std::size_t kNoBox = SIZE_MAX;

struct TreeBox {
    Rect rect;
    std::uint32_t id = trace::kNone;  ///< coroutine or timer
    bool timer = false;
    trace::Color color = trace::Color::none;
    trace::State state = trace::State::new_;  ///< of a coroutine
    Rect chip;                                ///< for the sign of its state; empty if there is no room for it
    std::string name, key;                    ///< what fits
    std::string detail;                       ///< all of it, as a sentence
    Rect below_rect;
    std::string below;   ///< "+12": so many nodes below it are not drawn; else empty
    bool loose = false;  ///< cannot be reached from the root
    bool now = false;    ///< the event at the playhead is about this node
    bool ghost = false;  ///< has just left this place
};

enum class LinkWay : std::uint8_t {
    both,  ///< the parent has it as a child, and it has the parent
    down,  ///< only the parent knows of it
    up,    ///< only the child knows of it
    root,  ///< from the tree to its root
    cut    ///< a link that the event at the playhead has cut
};
struct TreeLine {
    Point from, to;  ///< from parent to child
    LinkWay way = LinkWay::both;
    bool now = false;                            ///< the event at the playhead wrote it
    std::size_t upper = kNoBox, lower = kNoBox;  ///< the boxes at its ends, by their places in TreeView::boxes
};

/// Where a node stood before the rotation at the playhead, or will stand after it.
struct TreeGhost {
    Rect rect;
    std::size_t level = 0;
    std::uint32_t id = trace::kNone;
    bool after = false;
    std::string word;  ///< "before", "after", where there is room
};

struct TreeView {
    Rect rect, title;
    std::uint32_t set = trace::kNone;
    std::string name;
    std::string words;  ///< "7 sleep, by deadline, ns", or that a node is being linked in, or how many are drawn
    std::vector<TreeBox> boxes;
    std::vector<TreeLine> lines;
    std::vector<TreeGhost> ghosts;  ///< of nodes that stand elsewhere now
    std::vector<std::pair<Point, Point>> before,
        after;  ///< the links of the two nodes that it turns, as they were and will be
};

/// Lays out `set`, a red-black tree of `replay` at its playhead, in `area`. `most`: how many it has in the whole trace,
/// so that nodes keep their size.
TreeView layout_tree(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                     std::uint32_t most = 0);

/// The height at which so many levels are drawn whole, with the title, pixels.
float tree_height(std::size_t levels, float em) noexcept;
/// The same of as many as a tree of so many nodes has at most.
float wanted_tree_height(std::uint32_t nodes, float em) noexcept;
/// How many levels `set`, a red-black tree, has at the playhead.
std::size_t levels_of(const trace::Replay& replay, const trace::SetNow& set);

}  // namespace fiberscope::viewer
