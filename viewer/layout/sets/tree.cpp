#include "viewer/layout/sets/tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/steps.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/sets/tree_lines.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;
namespace field = trace::link_field;

// In em: heights of a title, of a box with two lines and with one; gap between levels; room below the last level for
// counts; widths.
constexpr float kTreeTitle = 1.5F, kTreeTwoLines = 2.35F, kTreeOneLine = 1.35F, kTreeGap = 1.0F, kTreeBelow = 1.1F;
/// Box heights with keys and the gaps below them, in order of preference: keys are worth more than gaps.
constexpr std::pair<float, float> kTreeSizes[] = {{kTreeTwoLines, 2.4F},     {kTreeTwoLines, 1.6F},
                                                  {kTreeTwoLines, kTreeGap}, {kTreeTwoLines, 0.6F},
                                                  {kTreeTwoLines, 0.35F},    {2.0F, 0.35F}};
constexpr float kLeastWidth = 3.2F, kMostWidth = 9.5F, kMostLowWidth = 12.5F, kTreeApart = 0.4F, kWidestPitch = 9.9F;

/// Maximum number of levels to reserve room for; maximum number of nodes whose texts are measured.
constexpr std::size_t kTreeMostLevels = 5, kTreeMeasured = 64;

/// Levels of a heap of this size; a red-black tree usually has one more during an insertion.
std::size_t usual_levels(std::size_t nodes, bool heap) noexcept {
    const std::size_t levels = std::max<std::size_t>(1, std::bit_width(nodes));
    return heap || nodes < 3 ? levels : levels + 1;
}

class TreeBuilder : TreeLines {
  public:
    TreeBuilder(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                std::uint32_t most)
        : TreeLines(replay, set, metrics), most_(most) {
        out_.rect = area;
        if (heap_) out_.rect.y1 -= kArray * em_;
        out_.title = {area.x0, area.y0, area.x1, area.y0 + kTreeTitle * em_};
        out_.set = set.index;
        out_.name = set_title(trace_, set.index, set.owner, metrics.language);
    }

    SetView view() {
        choose_levels();
        place_boxes();
        add_lines();
        if (heap_) {
            out_.rect.y1 += kArray * em_;
            add_array(*this, out_);
        }
        write_title();
        return std::move(out_);
    }

  private:
    /// Number of columns for `levels` levels. In a heap each place has its own column, so that none moves while it
    /// grows.
    std::size_t drawn_above(std::size_t levels) const {
        if (heap_) return (std::size_t{1} << levels) - 1;
        std::size_t count = 0;
        for (const TreePlace& at : shape_.nodes) count += at.level < levels ? 1 : 0;
        return count;
    }
    float pitch_of(std::size_t columns) const {
        return std::min(kWidestPitch * em_, out_.rect.width() / static_cast<float>(columns + 1));
    }

    /// Chooses as many levels as fit, with keys if all levels then fit. The box size is that for the largest tree in
    /// the trace, if this leaves room for keys, so that boxes keep their size while the tree grows.
    void choose_levels() {
        std::size_t there = 1;
        for (const TreePlace& at : shape_.nodes) there = std::max(there, at.level + 1);
        const auto wanted = [&](std::size_t nodes) {
            return std::min(kTreeMostLevels, std::max(there, nodes == 0 ? 1 : usual_levels(nodes, heap_)));
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
        if (heap_) levels_ = std::min(levels_, there);
        // Neighbours by key are never on the same level of an intact tree: each may be two columns wide.
        while (levels_ > 1 && width_at(pitch_of(drawn_above(levels_))) < kLeastWidth * em_) --levels_;
        columns_ = drawn_above(levels_);
        const std::size_t later = std::max(levels_, std::min(whole, wanted(most_)));
        const std::size_t most = std::max(columns_, heap_ ? drawn_above(later) : most_);
        if (levels_ < there || width_at(pitch_of(most)) < std::min(kMostWidth * em_, widest())) return;
        columns_ = most;
        if (heap_) levels_ = later;
    }
    /// Number of levels that fit with these sizes; `all`: without room for counts below the last level.
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
            out_.boxes.push_back(box_of_node(n));
            const float middle = heap_ ? x_in_heap(n, pitch) : x, y = y_of(at.level);
            out_.boxes.back().rect = {middle - width / 2, y, middle + width / 2, y + box_height_};
            if (last[at.level] != kNowhere) part(out_.boxes[last[at.level]], out_.boxes.back());
            last[at.level] = box_of_[n];
        }
        for (const std::size_t n : shape_.by_column)
            if (box_of_[n] != kNowhere) write(n, out_.boxes[box_of_[n]]);
    }

    float x_in_heap(std::size_t place, float pitch) const {
        const std::size_t level = shape_.nodes[place].level, first = (std::size_t{1} << level) - 1;
        const std::size_t column = (2 * (place - first) + 1) << (levels_ - 1 - level);
        return out_.rect.middle_x() + pitch * (static_cast<float>(column) - static_cast<float>(1U << (levels_ - 1)));
    }

    /// In a tree under modification neighbours by key may share a level: nodes are one column wide if their texts fit.
    float width_of(float pitch) const {
        const float most = (box_height_ < 2 * em_ ? kMostLowWidth : kMostWidth) * em_, one = pitch - kTreeApart * em_;
        return std::min(most, one >= std::min(most, widest()) ? one : width_at(pitch));
    }

    /// Narrows both boxes if they are too close.
    void part(SetBox& a, SetBox& b) const {
        const float most = b.rect.middle_x() - a.rect.middle_x() - kTreeApart * em_;
        for (SetBox* box : {&a, &b}) {
            if (box->rect.width() <= most) continue;
            const float middle = box->rect.middle_x();
            box->rect.x0 = middle - most / 2;
            box->rect.x1 = middle + most / 2;
        }
    }

    /// Width required by the texts of all drawn nodes; not measured for large trees.
    float widest() const {
        if (columns_ > kTreeMeasured) return out_.rect.width();
        float most = 0;
        for (std::size_t n = 0; n < shape_.nodes.size(); ++n) {
            if (shape_.nodes[n].level >= levels_) continue;
            const float name = metrics_.width(name_of(n)), key = metrics_.width(key_in_words(key_of(n)));
            most = std::max(most, box_height_ < 2 * em_ ? name + key + 1.2F * em_ : std::max(name, key));
        }
        return most + 0.6F * em_;
    }

    void write(std::size_t n, SetBox& out) const {
        const TreePlace& at = shape_.nodes[n];
        const std::string name = name_of(n), key = key_of(n);
        fit(name, key, out);
        out.detail = detail_of(n, out);
        if (at.level + 1 < levels_ || at.size <= 1) return;
        out.below = "+" + trace::grouped(static_cast<std::int64_t>(at.size - 1));
        out.below_rect = {out.rect.x0, out.rect.y1, out.rect.x1, out.rect.y1 + 1.1F * em_};
    }

    void fit(const std::string& name, const std::string& key, SetBox& out) const {
        const float side = 1.05F * em_, pad = 0.25F * em_;
        const float room = out.rect.width() - 2 * pad;
        // In a low box the key follows the name and precedes the sign of the state.
        const bool low = box_height_ < 2 * em_;
        const std::string words = key_in_words(key), line = name + "  " + words;
        const bool whole = low && !key.empty() && metrics_.width(line) <= room;
        const float widest = whole ? metrics_.width(line)
                             : low ? metrics_.width(name)
                                   : std::max(metrics_.width(name), metrics_.width(words));
        const bool chip = out.co != kNone && !heap_ && widest + side + 0.6F * em_ <= room;
        out.name = whole ? line : fitting_name(metrics_, chip ? room - side - 0.2F * em_ : room, name);
        if (chip) {
            const float y = out.rect.middle_y() - side / 2;
            out.chip = {out.rect.x0 + pad, y, out.rect.x0 + pad + side, y + side};
        }
        if (!low) out.key = key_that_fits(metrics_, chip ? room - side - 0.2F * em_ : room, key);
    }

    std::string operation() const {
        const trace::Event& e = trace_[set_.coming];
        return metrics_.says(
            e.kind == trace::Kind::insert ? mark("{0} is being inserted") : mark("{0} is being removed"),
            item_name(trace_, e.co, e.other, metrics_.language));
    }

    void write_title() {
        const auto grouped = [](std::size_t n) { return trace::grouped(static_cast<std::int64_t>(n)); };
        const std::size_t nodes = shape_.nodes.size(), hidden = heap_ ? 0 : nodes - out_.boxes.size();
        const std::string count =
            hidden == 0 ? grouped(members_)
                        : metrics_.says(mark("{0} of {1}", "shown"), grouped(nodes - hidden), grouped(nodes));
        const std::string doing = counted(set_.role, members_, metrics_.language);
        const std::string by =
            set_.key == kNone
                ? ""
                : metrics_.says(", by {0}", trace::order_in(trace::Foreign(key_name(trace_.text(set_.key).bytes())),
                                                            metrics_.language));
        const std::string cut = hidden == 0 ? "" : metrics_.says(", {0} of them not drawn", grouped(hidden));
        const float room = out_.title.width() - 1.15F * metrics_.width(out_.name) - em_;
        const std::string what = heap_ ? happens_in_heap() : happens_in_tree();
        const std::string now = what.empty() ? "" : metrics_.says("; {0}", what);
        out_.words = first_fitting(
            metrics_, room,
            {doing + by + now + cut, doing + now + cut, count + now, what.empty() || hidden > 0 ? count : what, count});
    }
    std::string happens_in_tree() const {
        if (rotation_) return trace::rotation_in_words(trace_, *rotation_, metrics_.language);
        return left_ ? just_left_in_words(trace_, *left_, metrics_.language) : set_.coming != kNone ? operation() : "";
    }
    std::string happens_in_heap() const {
        const auto item = [&] { return item_name(trace_, event_->co, event_->other, metrics_.language); };
        std::string what;
        if (event_ && event_->kind == trace::Kind::remove)
            what = metrics_.says("{0} leaves", item());
        else if (held_ != kNowhere)
            what = metrics_.says("{0} is in transit", name_of(held_));
        else if (event_ && event_->kind == trace::Kind::move)
            what = metrics_.says("{0} moves to {1}", item(), event_->x);
        const std::string step = event_ ? trace::step_in_words(trace_, replay_.at() - 1, metrics_.language) : "";
        return step.empty() ? what : metrics_.says("{0}: {1}", step, what);
    }

    std::size_t most_;  // in the largest tree
    std::size_t columns_ = 1;
};

/// Height at which `levels` levels fit completely, with the title, pixels.
float tree_height(std::size_t levels, float em) noexcept {
    const auto drawn = static_cast<float>(std::clamp<std::size_t>(levels, 2, kTreeMostLevels));
    return em * (kTreeTitle + kStem + kTreeBelow + drawn * (kTreeTwoLines + kTreeGap) - kTreeGap);
}

}  // namespace

SetView layout_tree(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                    std::uint32_t most) {
    return TreeBuilder(replay, set, area, metrics, most).view();
}

float wanted_tree_height(std::uint32_t nodes, float em) noexcept { return tree_height(usual_levels(nodes, false), em); }

float wanted_heap_height(std::uint32_t nodes, float em) noexcept {
    return tree_height(usual_levels(nodes, true), em) + kArray * em;
}

}  // namespace fiberscope::viewer
