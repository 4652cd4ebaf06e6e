#include "viewer/layout/sets/tree_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;
namespace field = trace::link_field;

Point below(const Rect& r) noexcept { return {r.middle_x(), r.y1}; }
Point above(const Rect& r) noexcept { return {r.middle_x(), r.y0}; }
Rect narrowed(const Rect& r, float half) { return {r.middle_x() - half, r.y0, r.middle_x() + half, r.y1}; }

}  // namespace

TreeLines::TreeLines(const trace::Replay& replay, const trace::SetNow& set, const Metrics& metrics)
    : TreeNodes(replay, set, metrics) {
    if (is_link()) rotation_ = trace::rotation_at(trace_, replay.at() - 1);
}

float TreeLines::y_of(std::size_t level) const {
    return out_.title.y1 + kStem * em_ + static_cast<float>(level) * (box_height_ + gap_);
}

Rect TreeLines::at_level(Rect r, std::size_t level) const {
    return {r.x0, y_of(level), r.x1, y_of(level) + box_height_};
}

std::size_t TreeLines::drawn(std::uint32_t id) const noexcept {
    for (std::size_t n = 0; n < set_.nodes.size(); ++n)
        if (set_.nodes[n].id == id && box_of_[n] != kNowhere) return n;
    return kNowhere;
}

void TreeLines::add_lines() {
    if (heap_) return add_lines_of_heap();
    for (std::size_t n = 0; n < shape_.nodes.size(); ++n) {
        if (box_of_[n] == kNowhere || is_ghost(n)) continue;
        const TreePlace& at = shape_.nodes[n];
        const bool mine = is_link() && event_->co == set_.nodes[n].id && event_->e1 != field::root;
        add_child(n, at.left, mine && wrote(field::left));
        add_child(n, at.right, mine && wrote(field::right));
        add_parent(n, at, mine && wrote(field::parent));
        if (mine) add_cuts(n);
    }
    if (rotation_) add_ghosts();
    if (!is_drawn(shape_.root)) return;
    const Point to = above(out_.boxes[box_of_[shape_.root]].rect);
    out_.lines.push_back({{to.x, out_.title.y1}, to, LinkWay::root, wrote(field::root), kNoBox, box_of_[shape_.root]});
}

/// Whether the event at the playhead moved an item between these two places, filling one and freeing the other.
void TreeLines::add_lines_of_heap() {
    for (std::size_t n = 1; n < shape_.nodes.size(); ++n) {
        const std::size_t parent = shape_.nodes[n].parent;
        if (box_of_[n] == kNowhere) continue;
        const SetBox &upper = out_.boxes[box_of_[parent]], &lower = out_.boxes[box_of_[n]];
        const bool moved = event_ && event_->kind == trace::Kind::move;
        const bool down = moved && lower.now && held_ == parent, up = moved && upper.now && held_ == n;
        const LinkWay way = down ? LinkWay::down : up ? LinkWay::raised : LinkWay::both;
        out_.lines.push_back({below(upper.rect), above(lower.rect), way, down || up, box_of_[parent], box_of_[n]});
    }
}

void TreeLines::add_child(std::size_t n, std::size_t child, bool now) {
    if (!is_drawn(child) || is_ghost(child)) return;
    const bool both = shape_.nodes[child].parent == n;
    const bool child_now =
        both && is_link() && event_->co == set_.nodes[child].id && event_->e1 != field::root && wrote(field::parent);
    out_.lines.push_back({below(out_.boxes[box_of_[n]].rect), above(out_.boxes[box_of_[child]].rect),
                          both ? LinkWay::both : LinkWay::down, now || child_now, box_of_[n], box_of_[child]});
}

void TreeLines::add_parent(std::size_t n, const TreePlace& at, bool now) {
    if (!is_drawn(at.parent) || is_ghost(at.parent)) return;
    const TreePlace& parent = shape_.nodes[at.parent];
    if (parent.left == n || parent.right == n) return;
    out_.lines.push_back({below(out_.boxes[box_of_[at.parent]].rect), above(out_.boxes[box_of_[n]].rect), LinkWay::up,
                          now, box_of_[at.parent], box_of_[n]});
}

/// To the former child, beside a parent link that may still be there; a short line if that is not drawn below.
void TreeLines::cut_child(std::size_t n, std::uint32_t child, float side) {
    const Rect& r = out_.boxes[box_of_[n]].rect;
    const Point from{r.middle_x() + side * r.width() / 4, r.y1};
    Point to{from.x + side * em_, from.y + em_};
    std::size_t lower = box_of_[n];
    if (const std::size_t at = drawn(child); at != kNowhere && out_.boxes[box_of_[at]].rect.y0 > r.y1) {
        const Rect& its = out_.boxes[box_of_[at]].rect;
        to = {its.middle_x() + side * its.width() / 4, its.y0};
        lower = box_of_[at];
    }
    out_.lines.push_back({from, to, LinkWay::cut, true, box_of_[n], lower});
}

void TreeLines::add_cuts(std::size_t n) {
    const trace::TreeNode &was = set_.before, &is = set_.nodes[n];
    if (was.left != is.left && was.left != kNone) cut_child(n, was.left, -1);
    if (was.right != is.right && was.right != kNone) cut_child(n, was.right, 1);
    if (was.parent == kNone || is.parent != kNone) return;
    const Point from = above(out_.boxes[box_of_[n]].rect);
    const bool root = shape_.root == n;  // the line to the root is there
    const float aside = root ? out_.boxes[box_of_[n]].rect.width() / 4 : 0;
    out_.lines.push_back(
        {{from.x + aside, from.y}, {from.x + aside, from.y - 0.55F * em_}, LinkWay::cut, true, box_of_[n], box_of_[n]});
}

void TreeLines::add_ghosts() {
    for (const bool after : {false, true}) {
        const TreeShape shape = shape_of(trace_, turned(set_, *rotation_, after));
        const auto place = [&](std::uint32_t id) -> std::optional<Rect> {
            for (std::size_t n = 0; n < set_.nodes.size(); ++n)
                if (set_.nodes[n].id == id && box_of_[n] != kNowhere && shape.nodes[n].level < levels_)
                    return at_level(out_.boxes[box_of_[n]].rect, shape.nodes[n].level);
            return std::nullopt;
        };
        for (std::size_t n = 0; n < set_.nodes.size(); ++n)
            if (box_of_[n] != kNowhere && shape.nodes[n].level < levels_ &&
                shape.nodes[n].level != shape_.nodes[n].level)
                add_ghost(n, shape.nodes[n].level, after);
        const std::uint32_t top = after ? rotation_->up : rotation_->at, low = after ? rotation_->at : rotation_->up;
        for (const auto& [from, to] : {std::pair(rotation_->above, top), {top, low}, {low, rotation_->inner}})
            if (const auto a = place(from), b = place(to); a && b)
                (after ? out_.after : out_.before).emplace_back(below(*a), above(*b));
    }
    name_ghosts();
}

/// Not wider than the space between its neighbours; ghosts at the same level share the space between them.
void TreeLines::add_ghost(std::size_t n, std::size_t level, bool after) {
    const Rect r = at_level(out_.boxes[box_of_[n]].rect, level);
    const float middle = r.middle_x();
    const std::uint32_t id = set_.nodes[n].id;
    const auto share_with = [&](const SetGhost& other) {
        const bool beside = other.level == level && other.id != id;
        return beside ? std::abs(middle - other.rect.middle_x()) / 2 - 0.05F * em_ : r.width();
    };
    float half = r.width() / 2;
    for (const SetBox& box : out_.boxes)
        if (box.rect.y0 < r.y1 && r.y0 < box.rect.y1)
            half = std::min(half, std::max(middle - box.rect.x1, box.rect.x0 - middle) - 0.1F * em_);
    for (const SetGhost& other : out_.ghosts) half = std::min(half, share_with(other));
    if (half < 0.5F * em_) return;
    for (SetGhost& other : out_.ghosts)
        other.rect = narrowed(other.rect, std::min(other.rect.width() / 2, share_with(other)));
    out_.ghosts.push_back({narrowed(r, half), level, id, after, {}});
}

/// A node whose place before is its place after gets one word.
void TreeLines::name_ghosts() {
    for (SetGhost& ghost : out_.ghosts) {
        const auto same = [&](const SetGhost& other) { return other.id == ghost.id && other.level == ghost.level; };
        const Text words = ghost.after ? mark("after") : mark("before");
        if (&*std::find_if(out_.ghosts.begin(), out_.ghosts.end(), same) == &ghost)
            ghost.word = fitting_whole(metrics_, ghost.rect.width(), metrics_.says(words));
    }
}

}  // namespace fiberscope::viewer
