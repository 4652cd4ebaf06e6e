// A set as it is drawn, whatever its structure: boxes, lines between them, and words. A queue is a row of boxes; a tree
// has them on levels; a heap as a tree and as its array; a wheel beside its ring.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/schema/schema.h"
#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

inline constexpr std::size_t kNoBox = SIZE_MAX;

/// A member, or one that has just left or is about to enter.
struct SetBox {
    Rect rect;
    std::uint32_t co = trace::kNone, timer = trace::kNone;  ///< one of both
    trace::State state = trace::State::new_;                ///< of a coroutine
    trace::Color color = trace::Color::none;  ///< of a node of a red-black tree, drawn instead of the state
    std::int64_t place = 0;                   ///< of a heap the index, of a wheel the slot
    Rect chip;                                ///< for the sign of its state; empty: none
    std::string name, key;                    ///< what fits
    std::string detail;                       ///< all of it, as a sentence
    Rect below_rect;
    std::string below;     ///< "+12": so many nodes below it are not drawn; of the array its index; else empty
    bool now = false;      ///< the event at the playhead is about it
    bool loose = false;    ///< cannot be reached from the root
    bool ghost = false;    ///< has just left this place
    bool in_hand = false;  ///< on its way: this place of a heap is free, and it may come to stand here

    std::uint32_t id() const noexcept { return co != trace::kNone ? co : timer; }
};

enum class LinkWay : std::uint8_t {
    both,   ///< the parent has it as a child, and it has the parent
    down,   ///< only the parent knows of it; of a heap: an item moved down
    up,     ///< only the child knows of it
    root,   ///< from the tree to its root
    cut,    ///< a link that the event at the playhead has cut
    raised  ///< of a heap: an item moved up
};
struct SetLine {
    Point from, to;  ///< from parent to child
    LinkWay way = LinkWay::both;
    bool now = false;                            ///< the event at the playhead wrote it
    std::size_t upper = kNoBox, lower = kNoBox;  ///< the boxes at its ends, by their places in SetView::boxes
};

/// Where a node stood before the rotation at the playhead, or will stand after it.
struct SetGhost {
    Rect rect;
    std::size_t level = 0;
    std::uint32_t id = trace::kNone;
    bool after = false;
    std::string word;  ///< "before", "after", where there is room
};

/// A circle with a hand.
struct Dial {
    Point middle;
    float radius = 0;  ///< 0: not drawn
    Point hand;        ///< the tip
    std::vector<Point> dots;
    std::optional<Point> before;  ///< where it was before the event at the playhead
};
struct DialMark {
    Point from, to;
    Rect text_rect;
    std::string text;  ///< the slot; empty for a small mark
};
/// A slot that is not empty, and the row beside the ring in which its members stand, in their order.
struct WheelSlot {
    std::int64_t slot = 0;
    Point dot;         ///< on the ring
    Point knee, edge;  ///< from the dot over the knee to the edge of the row
    Rect rect;         ///< of the row
    Rect number_rect;
    std::string number;
    Rect more_rect;
    std::string more;  ///< "+3": members that have no room; else empty
};

struct SetView {
    Rect rect, title;
    std::uint32_t set = trace::kNone;
    std::string name;
    std::string words;  ///< "7 sleep, by deadline", or what happens to it, or how many are drawn
    bool declared = true;
    std::vector<SetBox> boxes;
    Rect more_rect;
    std::string more;  ///< "and 9,984 more"; else empty

    Rect head;                   ///< of a queue: for "head", before the first box
    std::optional<SetBox> left;  ///< of a queue: what left by the event at the playhead, before the head

    std::vector<SetLine> lines;
    std::vector<SetGhost> ghosts;  ///< of nodes that stand elsewhere now
    std::vector<std::pair<Point, Point>> before,
        after;                  ///< the links of the two nodes that a rotation turns, as they were and will be
    std::vector<SetBox> cells;  ///< the array of a heap

    Dial ring, whole;  ///< of a wheel; the small one shows all of it
    std::vector<DialMark> marks;
    std::vector<WheelSlot> slots;  ///< in the order in which the hand comes to them
    bool hand_now = false;         ///< the event at the playhead moved the hand
};

}  // namespace fiberscope::viewer
