// A laid-out set of any structure: boxes, lines between them, and texts. A queue is a row of boxes; a tree has levels;
// a heap is a tree and its array; a wheel is a ring with rows beside it.
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
    std::uint32_t co = trace::kNone, timer = trace::kNone;  ///< exactly one is set
    trace::State state = trace::State::new_;                ///< of a coroutine
    trace::Color color = trace::Color::none;  ///< of a node of a red-black tree, drawn instead of the state
    std::int64_t place = 0;                   ///< of a heap the index, of a wheel the slot
    Rect chip;                                ///< for the sign of its state; empty: none
    std::string name, key;                    ///< shortened to fit
    std::string detail;                       ///< full text, as a sentence
    Rect below_rect;
    std::string below;     ///< "+12": number of hidden nodes below it; in an array, its index; else empty
    bool now = false;      ///< the event at the playhead concerns it
    bool loose = false;    ///< not reachable from the root
    bool ghost = false;    ///< has just left this position
    bool in_hand = false;  ///< in transit: this position of a heap is free, and the item may be placed here

    std::uint32_t id() const noexcept { return co != trace::kNone ? co : timer; }
};

enum class LinkWay : std::uint8_t {
    both,   ///< the child link and the parent link agree
    down,   ///< only the parent's link; of a heap: an item moved down
    up,     ///< only the child's link
    root,   ///< from the tree to its root
    cut,    ///< a link removed by the event at the playhead
    raised  ///< of a heap: an item moved up
};
struct SetLine {
    Point from, to;  ///< from parent to child
    LinkWay way = LinkWay::both;
    bool now = false;                            ///< written by the event at the playhead
    std::size_t upper = kNoBox, lower = kNoBox;  ///< indices into SetView::boxes of the boxes at its ends
};

/// Position of a node before the rotation at the playhead, or after it.
struct SetGhost {
    Rect rect;
    std::size_t level = 0;
    std::uint32_t id = trace::kNone;
    bool after = false;
    std::string word;  ///< "before" or "after", if it fits
};

/// A circle with a hand.
struct Dial {
    Point middle;
    float radius = 0;  ///< 0: not drawn
    Point hand;        ///< the tip
    std::vector<Point> dots;
    std::optional<Point> before;  ///< its position before the event at the playhead
};
struct DialMark {
    Point from, to;
    Rect text_rect;
    std::string text;  ///< the slot; empty for a small mark
};
/// A nonempty slot, and the row beside the ring that shows its members in order.
struct WheelSlot {
    std::int64_t slot = 0;
    Point dot;         ///< on the ring
    Point knee, edge;  ///< line from the dot over the knee to the edge of the row
    Rect rect;         ///< of the row
    Rect number_rect;
    std::string number;
    Rect more_rect;
    std::string more;  ///< "+3": members that do not fit; else empty
};

struct SetView {
    Rect rect, title;
    std::uint32_t set = trace::kNone;
    std::string name;
    std::string words;  ///< "7 sleep, by deadline", or the current operation, or the number drawn
    bool declared = true;
    std::vector<SetBox> boxes;
    Rect more_rect;
    std::string more;  ///< "and 9,984 more"; else empty

    Rect head;                   ///< of a queue: for "head", before the first box
    std::optional<SetBox> left;  ///< of a queue: the member removed by the event at the playhead, before the head

    std::vector<SetLine> lines;
    std::vector<SetGhost> ghosts;  ///< former or later positions of moved nodes
    std::vector<std::pair<Point, Point>> before,
        after;                  ///< links of the two rotated nodes, before and after
    std::vector<SetBox> cells;  ///< the array of a heap

    Dial ring, whole;  ///< of a wheel; the small one shows the whole wheel
    std::vector<DialMark> marks;
    std::vector<WheelSlot> slots;  ///< in the order in which the hand reaches them
    bool hand_now = false;         ///< the event at the playhead moved the hand
};

}  // namespace fiberscope::viewer
