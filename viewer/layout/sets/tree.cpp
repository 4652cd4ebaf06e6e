#include "viewer/layout/sets/tree.h"

#include <cmath>
#include <optional>

#include "traces/read/printable.h"
#include "traces/words/steps.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/sets/tree_shape.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;
namespace field = trace::link_field;

// In em: heights of a title, of the line down to the root, of a box of two lines and of one; the gap between levels;
// the room for what is not drawn below the last level; widths.
constexpr float kTreeTitle = 1.5F, kStem = 0.6F, kTreeTwoLines = 2.35F, kTreeOneLine = 1.35F, kTreeGap = 1.0F,
                kTreeBelow = 1.1F;
/// Boxes with keys and the gap below them: keys are worth more than room between the levels.
constexpr std::pair<float, float> kTreeSizes[] = {
    {kTreeTwoLines, kTreeGap}, {kTreeTwoLines, 0.6F}, {kTreeTwoLines, 0.35F}, {2.0F, 0.35F}};
constexpr float kLeastWidth = 3.2F, kMostWidth = 9.5F, kMostLowWidth = 12.5F, kTreeApart = 0.4F, kWidestPitch = 9.9F;

/// So many levels are wanted, of a larger tree no more; and the words of so many nodes are measured.
constexpr std::size_t kTreeMostLevels = 5, kTreeMeasured = 64;

/// Levels that a tree of so many nodes usually has, and one more for the middle of an insertion.
std::size_t usual_levels(std::size_t nodes) noexcept {
    std::size_t levels = 1;
    for (std::size_t n = nodes; n > 1; n /= 2) ++levels;
    return nodes < 3 ? levels : levels + 1;
}

class TreeBuilder {
  public:
    TreeBuilder(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                std::uint32_t most)
        : replay_(replay),
          trace_(replay.trace()),
          left_(just_left(replay, set.index, metrics.language)),
          with_gone_(left_ ? with_gone(set, left_->event) : std::nullopt),
          set_(with_gone_ ? *with_gone_ : set),
          members_(set.members.size()),
          most_(most),
          metrics_(metrics),
          em_(metrics.em),
          shape_(shape_of(replay.trace(), set_)),
          event_(replay.at() == 0 ? std::nullopt : std::optional(trace_[replay.at() - 1])) {
        if (event_ && (event_->set != set.index || !is_about_sets(*event_))) event_.reset();
        if (is_link()) rotation_ = trace::rotation_at(trace_, replay.at() - 1);
        out_.rect = area;
        out_.title = {area.x0, area.y0, area.x1, area.y0 + kTreeTitle * em_};
        out_.set = set.index;
        out_.name = trace::set_in(trace::printable(trace_.text(set.name)), metrics.language);
    }

    TreeView view() {
        choose_levels();
        place_boxes();
        add_lines();
        if (rotation_) add_ghosts();
        write_title();
        return std::move(out_);
    }

  private:
    bool is_ghost(std::size_t n) const noexcept { return with_gone_ && n + 1 == set_.nodes.size(); }

    static bool is_about_sets(const trace::Event& e) noexcept {
        return e.kind == trace::Kind::link || e.kind == trace::Kind::insert || e.kind == trace::Kind::remove;
    }
    bool is_link() const noexcept { return event_ && event_->kind == trace::Kind::link; }
    bool wrote(unsigned what) const noexcept { return is_link() && (event_->e1 & what) != 0; }

    std::size_t drawn_above(std::size_t levels) const {
        std::size_t count = 0;
        for (const TreePlace& at : shape_.nodes) count += at.level < levels ? 1 : 0;
        return count;
    }
    float pitch_of(std::size_t columns) const {
        return std::min(kWidestPitch * em_, out_.rect.width() / static_cast<float>(columns + 1));
    }

    /// As many levels as there is room for, with keys if all levels fit with them. The boxes keep their size while the
    /// tree grows: they are as large as those of the largest tree that the trace has, if these have room for keys.
    void choose_levels() {
        std::size_t there = 1;
        for (const TreePlace& at : shape_.nodes) there = std::max(there, at.level + 1);
        const auto wanted = [&](std::size_t nodes) {
            return std::min(kTreeMostLevels, std::max(there, nodes == 0 ? 1 : usual_levels(nodes)));
        };
        box_height_ = kTreeOneLine * em_;
        gap_ = kTreeGap * em_;
        for (const std::size_t levels : {wanted(most_), wanted(members_), wanted(0)})
            for (const auto& [box, gap] : kTreeSizes)
                if (box_height_ < 2 * em_ && fit(box, gap, levels >= there) >= levels) {
                    box_height_ = box * em_;
                    gap_ = gap * em_;
                }
        const std::size_t whole = fit(box_height_ / em_, gap_ / em_, true);
        levels_ = whole >= there ? whole : fit(box_height_ / em_, gap_ / em_, false);
        // Neighbours by key never stand on one level of a whole tree: each has the width of two columns.
        while (levels_ > 1 && width_at(pitch_of(drawn_above(levels_))) < kLeastWidth * em_) --levels_;
        columns_ = drawn_above(levels_);
        const std::size_t most = std::max(columns_, most_);
        if (levels_ >= there && width_at(pitch_of(most)) >= std::min(kMostWidth * em_, widest())) columns_ = most;
    }
    /// Levels of boxes of so many lines; `all`: nothing is left out below the last.
    std::size_t fit(float box, float gap, bool all) const {
        const float room = out_.rect.height() - (kTreeTitle + kStem + (all ? 0 : kTreeBelow)) * em_;
        return static_cast<std::size_t>(std::max(1.0F, (room + gap * em_ + 0.5F) / ((box + gap) * em_)));
    }
    float width_at(float pitch) const noexcept { return 2 * pitch - kTreeApart * em_; }

    void place_boxes() {
        box_of_.assign(shape_.nodes.size(), kNowhere);
        const float pitch = pitch_of(columns_), width = width_of(pitch);
        float x = out_.rect.middle_x() - pitch * (static_cast<float>(drawn_above(levels_)) + 1) / 2;
        std::vector<std::size_t> last(levels_, kNowhere);  // by level: its last box
        for (const std::size_t n : shape_.by_column) {
            const TreePlace& at = shape_.nodes[n];
            if (at.level >= levels_) continue;
            x += pitch;
            box_of_[n] = out_.boxes.size();
            out_.boxes.push_back(box(n, x, width));
            if (last[at.level] != kNowhere) part(out_.boxes[last[at.level]], out_.boxes.back());
            last[at.level] = box_of_[n];
        }
        for (const std::size_t n : shape_.by_column)
            if (box_of_[n] != kNowhere) write(n, out_.boxes[box_of_[n]]);
    }

    /// Neighbours by key may hang loose on one level: nodes have the width of one column if their words fit into it.
    float width_of(float pitch) const {
        const float most = (box_height_ < 2 * em_ ? kMostLowWidth : kMostWidth) * em_, one = pitch - kTreeApart * em_;
        return std::min(most, one >= std::min(most, widest()) ? one : width_at(pitch));
    }

    TreeBox box(std::size_t n, float x, float width) const {
        const trace::TreeNode& node = set_.nodes[n];
        TreeBox out;
        const float y = y_of(shape_.nodes[n].level);
        out.rect = {x - width / 2, y, x + width / 2, y + box_height_};
        out.id = node.id;
        out.color = node.color;
        out.ghost = is_ghost(n);
        out.loose = shape_.nodes[n].loose && !out.ghost;
        const bool inserted = event_ && event_->kind == trace::Kind::insert && item_of(*event_) == node.id;
        out.now = inserted || (is_link() && event_->e1 != field::root && event_->co == node.id);
        return out;
    }
    static std::uint32_t item_of(const trace::Event& e) noexcept { return e.co != kNone ? e.co : e.other; }

    /// Where two of one level are too near, both become narrow.
    void part(TreeBox& a, TreeBox& b) const {
        const float most = b.rect.middle_x() - a.rect.middle_x() - kTreeApart * em_;
        for (TreeBox* box : {&a, &b}) {
            if (box->rect.width() <= most) continue;
            const float middle = box->rect.middle_x();
            box->rect.x0 = middle - most / 2;
            box->rect.x1 = middle + most / 2;
        }
    }

    struct Words {
        std::string name, key;
        bool timer = false;
    };
    Words words_of(std::size_t n) const {
        Words out;
        if (const std::size_t member = shape_.nodes[n].member; member != kNowhere) {
            out.timer = set_.members[member].co == kNone;
            out.key = trace::printable(trace_.text(set_.members[member].key));
        } else if (set_.coming != kNone) {
            out.timer = trace_[set_.coming].co == kNone;
            out.key = trace::printable(trace_.text(trace_[set_.coming].text));
        }
        const std::uint32_t id = set_.nodes[n].id;
        out.name = out.timer ? metrics_.says("timer {0}", id) : trace_.name(id);
        return out;
    }
    /// The width that the words of all drawn nodes need; of many it is not asked.
    float widest() const {
        if (columns_ > kTreeMeasured) return out_.rect.width();
        float most = 0;
        for (std::size_t n = 0; n < set_.nodes.size(); ++n) {
            if (shape_.nodes[n].level >= levels_) continue;
            const Words words = words_of(n);
            const float name = metrics_.width(words.name), key = metrics_.width(key_in_words(words.key));
            most = std::max(most, box_height_ < 2 * em_ ? name + key + 1.2F * em_ : std::max(name, key));
        }
        return most + 0.6F * em_;
    }

    void write(std::size_t n, TreeBox& out) const {
        const TreePlace& at = shape_.nodes[n];
        const auto [name, key, timer] = words_of(n);
        out.timer = timer;
        if (!out.timer) out.state = replay_.coroutine(out.id).state;
        fit(name, key, out);
        out.detail = key.empty() ? name : metrics_.says("{0}, {1}", name, key);
        if (out.color != trace::Color::none)
            out.detail = metrics_.says("{0}, {1}", out.detail,
                                       metrics_.says(out.color == trace::Color::red ? mark("red") : mark("black")));
        if (out.loose) out.detail = metrics_.says("{0}: hangs loose in the middle of an operation", out.detail);
        if (out.ghost) out.detail = metrics_.says("{0}: has just left", out.detail);
        if (at.member == kNowhere) out.detail = metrics_.says("{0}, not a member yet", out.detail);
        if (at.level + 1 < levels_ || at.size <= 1) return;
        out.below = "+" + trace::grouped(static_cast<std::int64_t>(at.size - 1));
        out.below_rect = {out.rect.x0, out.rect.y1, out.rect.x1, out.rect.y1 + 1.1F * em_};
    }

    void fit(const std::string& name, const std::string& key, TreeBox& out) const {
        const float side = 1.05F * em_, pad = 0.25F * em_;
        const float room = out.rect.width() - 2 * pad;
        // In a low box the key stands behind the name, and has room before the sign of the state.
        const bool low = box_height_ < 2 * em_;
        const std::string words = key_in_words(key), line = name + "  " + words;
        const bool whole = low && !key.empty() && metrics_.width(line) <= room;
        const float widest = whole ? metrics_.width(line)
                             : low ? metrics_.width(name)
                                   : std::max(metrics_.width(name), metrics_.width(words));
        const bool chip = !out.timer && widest + side + 0.6F * em_ <= room;
        out.name = whole ? line : fitting_name(metrics_, chip ? room - side - 0.2F * em_ : room, name);
        if (chip) {
            const float y = out.rect.middle_y() - side / 2;
            out.chip = {out.rect.x0 + pad, y, out.rect.x0 + pad + side, y + side};
        }
        if (!low) out.key = key_that_fits(metrics_, chip ? room - side - 0.2F * em_ : room, key);
    }

    Point below(const Rect& r) const noexcept { return {r.middle_x(), r.y1}; }
    Point above(const Rect& r) const noexcept { return {r.middle_x(), r.y0}; }

    void add_lines() {
        for (std::size_t n = 0; n < shape_.nodes.size(); ++n) {
            if (box_of_[n] == kNowhere || is_ghost(n)) continue;
            const TreePlace& at = shape_.nodes[n];
            const bool mine = is_link() && event_->co == set_.nodes[n].id && event_->e1 != field::root;
            add_child(n, at.left, mine && wrote(field::left));
            add_child(n, at.right, mine && wrote(field::right));
            add_parent(n, at, mine && wrote(field::parent));
            if (mine) add_cuts(box_of_[n]);
        }
        if (shape_.root == kNowhere || box_of_[shape_.root] == kNowhere) return;
        const Point to = above(out_.boxes[box_of_[shape_.root]].rect);
        out_.lines.push_back(
            {{to.x, out_.title.y1}, to, LinkWay::root, wrote(field::root), kNoBox, box_of_[shape_.root]});
    }
    void add_child(std::size_t n, std::size_t child, bool now) {
        if (child == kNowhere || box_of_[child] == kNowhere || is_ghost(child)) return;
        const bool both = shape_.nodes[child].parent == n;
        const bool child_now = both && is_link() && event_->co == set_.nodes[child].id && event_->e1 != field::root &&
                               wrote(field::parent);
        out_.lines.push_back({below(out_.boxes[box_of_[n]].rect), above(out_.boxes[box_of_[child]].rect),
                              both ? LinkWay::both : LinkWay::down, now || child_now, box_of_[n], box_of_[child]});
    }
    void add_parent(std::size_t n, const TreePlace& at, bool now) {
        if (at.parent == kNowhere || box_of_[at.parent] == kNowhere || is_ghost(at.parent)) return;
        const TreePlace& parent = shape_.nodes[at.parent];
        if (parent.left == n || parent.right == n) return;
        out_.lines.push_back({below(out_.boxes[box_of_[at.parent]].rect), above(out_.boxes[box_of_[n]].rect),
                              LinkWay::up, now, box_of_[at.parent], box_of_[n]});
    }
    /// What now leads nowhere.
    void add_cuts(std::size_t box) {
        const Rect& r = out_.boxes[box].rect;
        const float length = 0.55F * em_;
        const auto cut = [&](Point from, float dx, float dy) {
            out_.lines.push_back({from, {from.x + dx, from.y + dy}, LinkWay::cut, true, box, box});
        };
        const float quarter = r.width() / 4;
        if (wrote(field::left) && event_->x == std::int64_t{kNone})
            cut({r.middle_x() - quarter, r.y1}, -length / 2, length);
        if (wrote(field::right) && event_->y == std::int64_t{kNone})
            cut({r.middle_x() + quarter, r.y1}, length / 2, length);
        if (wrote(field::parent) && event_->other == kNone) cut(above(r), 0, -length);
    }

    void add_ghosts() {
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
            const std::uint32_t top = after ? rotation_->up : rotation_->at,
                                low = after ? rotation_->at : rotation_->up;
            for (const auto& [from, to] : {std::pair(rotation_->above, top), {top, low}, {low, rotation_->inner}})
                if (const auto a = place(from), b = place(to); a && b)
                    (after ? out_.after : out_.before).emplace_back(below(*a), above(*b));
        }
    }
    float y_of(std::size_t level) const {
        return out_.title.y1 + kStem * em_ + static_cast<float>(level) * (box_height_ + gap_);
    }
    Rect at_level(Rect r, std::size_t level) const { return {r.x0, y_of(level), r.x1, y_of(level) + box_height_}; }

    /// No wider than leaves the boxes beside it free.
    void add_ghost(std::size_t n, std::size_t level, bool after) {
        const Rect r = at_level(out_.boxes[box_of_[n]].rect, level);
        const float middle = r.middle_x();
        float half = r.width() / 2;
        for (const TreeBox& box : out_.boxes)
            if (box.rect.y0 < r.y1 && r.y0 < box.rect.y1)
                half = std::min(half, std::max(middle - box.rect.x1, box.rect.x0 - middle) - 0.1F * em_);
        if (half < 0.5F * em_) return;
        TreeGhost ghost{{middle - half, r.y0, middle + half, r.y1}, level, set_.nodes[n].id, after, {}};
        ghost.word = fitting_whole(metrics_, 2 * half, metrics_.says(after ? mark("after") : mark("before")));
        out_.ghosts.push_back(std::move(ghost));
    }

    std::string operation() const {
        const trace::Event& e = trace_[set_.coming];
        return metrics_.says(
            e.kind == trace::Kind::insert ? mark("{0} is being linked in") : mark("{0} is being taken out"),
            item_name(trace_, e.co, e.other, metrics_.language));
    }

    void write_title() {
        const std::string count = trace::grouped(static_cast<std::int64_t>(members_));
        const std::string doing = counted(set_.role, members_, metrics_.language);
        const std::string by =
            set_.key == kNone
                ? ""
                : metrics_.says(", by {0}",
                                trace::order_in(key_name(trace::printable(trace_.text(set_.key))), metrics_.language));
        const std::size_t hidden = set_.nodes.size() - out_.boxes.size();
        const std::string cut =
            hidden == 0 ? ""
                        : metrics_.says(", {0} of them not drawn", trace::grouped(static_cast<std::int64_t>(hidden)));
        const float room = out_.title.width() - 1.15F * metrics_.width(out_.name) - em_;
        if (set_.coming == kNone && !left_) {
            out_.words = first_fitting(metrics_, room, {doing + by + cut, doing + cut, count + cut, count});
            return;
        }
        std::string what = left_ ? just_left_in_words(trace_, *left_, metrics_.language) : operation();
        if (rotation_) what = trace::rotation_in_words(trace_, *rotation_, metrics_.language);
        const std::string now = metrics_.says("; {0}", what);
        out_.words =
            first_fitting(metrics_, room, {doing + by + now + cut, count + now + cut, count + now, what, count});
    }

    const trace::Replay& replay_;
    const trace::Trace& trace_;
    std::optional<JustLeft> left_;            // this tree
    std::optional<trace::SetNow> with_gone_;  // the set with that as its last node
    const trace::SetNow& set_;
    std::size_t members_, most_;  // without it; in the largest tree
    const Metrics& metrics_;
    float em_, box_height_ = 0, gap_ = 0;
    TreeShape shape_;
    std::optional<trace::Event> event_;        // at the playhead, if it is about this set
    std::optional<trace::Rotation> rotation_;  // to which it belongs
    std::size_t levels_ = 1, columns_ = 1;
    std::vector<std::size_t> box_of_;  // by node
    TreeView out_;
};

}  // namespace

TreeView layout_tree(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                     std::uint32_t most) {
    return TreeBuilder(replay, set, area, metrics, most).view();
}

float tree_height(std::size_t levels, float em) noexcept {
    const auto drawn = static_cast<float>(std::clamp<std::size_t>(levels, 2, kTreeMostLevels));
    return em * (kTreeTitle + kStem + kTreeBelow + drawn * (kTreeTwoLines + kTreeGap) - kTreeGap);
}

float wanted_tree_height(std::uint32_t nodes, float em) noexcept { return tree_height(usual_levels(nodes), em); }

std::size_t levels_of(const trace::Replay& replay, const trace::SetNow& set) {
    std::size_t levels = 0;
    for (const TreePlace& at : shape_of(replay.trace(), set).nodes) levels = std::max(levels, at.level + 1);
    return levels;
}

}  // namespace fiberscope::viewer
