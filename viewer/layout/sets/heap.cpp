#include "viewer/layout/sets/heap.h"

#include <bit>
#include <numeric>
#include <optional>
#include <span>

#include "traces/read/printable.h"
#include "traces/words/steps.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::Kind;
using trace::kNone;

// In em: heights of a title, of a box of two lines and of one, of the gap between levels, of what is not drawn below a
// level, of a cell of the array and its index; the gap above the array; widths.
constexpr float kHeapTitle = 1.5F, kHeapTwoLines = 2.35F, kHeapOneLine = 1.35F, kHeapGap = 0.65F, kHeapBelow = 0.95F;
constexpr float kCell = 1.35F, kIndex = 0.95F, kAbove = 0.5F;
constexpr float kLeastNode = 2.1F, kMostNode = 9.5F, kHeapApart = 0.3F, kMostPitch = 13.0F;
constexpr float kLeastCell = 1.75F, kMostCell = 4.6F;

/// No window has room for more places than kMostItems.
constexpr std::size_t kHeapMostLevels = 5, kMostItems = 1024, kNoPlace = SIZE_MAX;

std::size_t level_of(std::size_t place) noexcept { return std::bit_width(place + 1) - 1; }
std::size_t parent_of(std::size_t place) noexcept { return (place - 1) / 2; }

/// How many of a heap of `size` lie below `place`.
std::size_t descendants(std::size_t place, std::size_t size) noexcept {
    std::size_t count = 0;
    for (std::size_t first = place, width = 1; first < size; first = 2 * first + 1, width *= 2)
        count += std::min(width, size - first);
    return count == 0 ? 0 : count - 1;
}

class HeapBuilder {
  public:
    HeapBuilder(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                std::uint32_t most)
        : replay_(replay),
          set_(set),
          metrics_(metrics),
          em_(metrics.em),
          most_(std::max<std::size_t>(most, set.members.size())),
          event_(event_about(replay, set.index)) {
        out_.rect = area;
        out_.title = {area.x0, area.y0, area.x1, area.y0 + kHeapTitle * em_};
        out_.set = set.index;
        out_.name = trace::set_in(trace::printable(replay.trace().text(set.name)), metrics.language);
    }

    HeapView view() {
        find_places();
        add_items();
        place_cells();
        choose_levels();
        place_nodes();
        add_lines();
        write_title();
        return std::move(out_);
    }

  private:
    std::size_t size() const noexcept { return set_.members.size(); }
    std::size_t items() const noexcept { return std::min(size(), kMostItems); }

    /// If two members name one place, the later one stands there and the other is in hand. What is in hand is drawn
    /// over a free place.
    void find_places() {
        std::vector<std::size_t> by_time(size());
        std::iota(by_time.begin(), by_time.end(), std::size_t{0});
        std::stable_sort(by_time.begin(), by_time.end(),
                         [&](std::size_t a, std::size_t b) { return set_.members[a].placed < set_.members[b].placed; });
        member_at_.assign(size(), kNoPlace);
        std::vector<std::size_t> in_hand;
        for (const std::size_t m : by_time) {
            const std::int64_t at = set_.members[m].at;
            std::size_t displaced = m;
            if (at >= 0 && at < static_cast<std::int64_t>(size()))
                std::swap(displaced, member_at_[static_cast<std::size_t>(at)]);
            if (displaced != kNoPlace) in_hand.push_back(displaced);
        }
        in_hand_.assign(size(), false);
        std::size_t next = 0;
        for (std::size_t place = 0; place < size(); ++place) {
            if (member_at_[place] != kNoPlace) continue;
            member_at_[place] = in_hand[next++];
            in_hand_[place] = true;
            if (held_ == kNoPlace) held_ = place;
        }
    }

    void add_items() {
        for (std::size_t place = 0; place < items(); ++place) {
            const trace::Member& member = set_.members[member_at_[place]];
            HeapItem item;
            item.place = place;
            item.co = member.co;
            item.timer = member.timer;
            if (member.co != kNone) item.state = replay_.coroutine(member.co).state;
            item.in_hand = in_hand_[place];
            const bool comes = event_ && (event_->kind == Kind::insert || event_->kind == Kind::move);
            item.now = comes && member.placed + std::size_t{1} == replay_.at();
            const std::string name = item_name(replay_.trace(), member.co, member.timer, metrics_.language);
            item.detail =
                metrics_.says(item.in_hand ? mark("{0}: on its way; free is place {1} of {2} in {3}")
                                           : mark("{0}: at place {1} of {2} in {3}"),
                              member.key == kNone
                                  ? name
                                  : metrics_.says("{0}, {1}", name, trace::printable(replay_.trace().text(member.key))),
                              place, size(), out_.name);
            least_ = std::max(least_, metrics_.width(short_name(item)) + 0.5F * em_);
            out_.items.push_back(std::move(item));
        }
    }

    /// What is written where there is little room.
    std::string short_name(const HeapItem& item) const {
        const trace::Member& member = set_.members[member_at_[item.place]];
        if (member.co == kNone) return std::to_string(member.timer);
        return fitting_name(metrics_, kLeastCell * em_, name_of(item));
    }

    // ---- the array --------------------------------------------------------------------------------------------------

    /// A gap in the array parts the levels of the tree. Of a heap that does not fit, the last levels are left out.
    void place_cells() {
        const Rect& r = out_.rect;
        const float gap = 0.35F * em_, y = r.y1 - (kCell + kIndex) * em_;
        if (y < out_.title.y1) return;
        const auto fit = [&](std::size_t cells, float reserve) {
            const float gaps = gap * static_cast<float>(cells == 0 ? 0 : level_of(cells - 1));
            return (r.width() - gaps - reserve) / static_cast<float>(std::max<std::size_t>(1, cells));
        };
        std::size_t shown = items();
        float reserve = 0;
        if (shown < size() || fit(shown, 0) < least_) {
            reserve = metrics_.width("+" + trace::grouped(static_cast<std::int64_t>(size()))) + 0.6F * em_;
            while (shown > 1 && fit(shown, reserve) < least_) --shown;
        }
        const float width = std::min(kMostCell * em_, fit(shown, reserve));
        const bool names = all_fit(0, shown, width);
        float x = r.x0;
        for (std::size_t place = 0; place < shown; ++place, x += width) {
            if (place > 0 && level_of(place) != level_of(place - 1)) x += gap;
            write_cell(out_.items[place], {x, y, x + width, y + kCell * em_}, names);
        }
        if (shown == size()) return;
        out_.more = "+" + trace::grouped(static_cast<std::int64_t>(size() - shown));
        out_.more_rect = {x + 0.3F * em_, y, r.x1, y + kCell * em_};
    }

    /// Whether the names of the places from `first` and before `last` fit into `width` each.
    bool all_fit(std::size_t first, std::size_t last, float width) const {
        const std::span those = std::span(out_.items).subspan(first, std::min(last, items()) - first);
        return std::all_of(those.begin(), those.end(),
                           [&](const HeapItem& item) { return metrics_.width(name_of(item)) + 0.4F * em_ <= width; });
    }

    /// `names`: whole names; else their numbers.
    void write_cell(HeapItem& item, Rect cell, bool names) const {
        item.cell = cell;
        item.cell_name = names ? name_of(item) : short_name(item);
        item.index_rect = {cell.x0, cell.y1, cell.x1, cell.y1 + kIndex * em_};
        item.index = fitting_whole(metrics_, cell.width() + 0.3F * em_, std::to_string(item.place));
    }

    std::string name_of(const HeapItem& item) const { return name_at(item.place); }
    std::string name_at(std::size_t place) const {
        const trace::Member& member = set_.members[member_at_[place]];
        return item_name(replay_.trace(), member.co, member.timer, metrics_.language);
    }

    // ---- the tree ---------------------------------------------------------------------------------------------------

    float tree_bottom() const noexcept { return out_.rect.y1 - (kCell + kIndex + kAbove) * em_; }
    float pitch(std::size_t level) const noexcept {
        const float whole = std::min(out_.rect.width(), kMostPitch * em_ * static_cast<float>(std::size_t{1} << last_));
        return whole / static_cast<float>(std::size_t{1} << level);
    }

    /// As many levels as there is room for, with keys if all that are wanted fit with them. The nodes keep their size
    /// while the heap grows, if the largest one that the trace has fits with keys.
    void choose_levels() {
        const float room = tree_bottom() - out_.title.y1;
        const auto fit = [&](float box, bool all) {
            const float levels = (room - (all ? 0 : kHeapBelow * em_) + kHeapGap * em_) / ((box + kHeapGap) * em_);
            return static_cast<std::size_t>(std::max(0.0F, levels));
        };
        std::size_t there = size() == 0 ? 0 : level_of(size() - 1) + 1;
        const std::size_t most = most_ == 0 ? 0 : level_of(most_ - 1) + 1;
        if (most <= kHeapMostLevels && fit(kHeapTwoLines, true) >= most && fits_width(most)) there = most;
        const bool keys = fit(kHeapTwoLines, there <= kHeapMostLevels) >= std::min(kHeapMostLevels, there);
        box_height_ = (keys ? kHeapTwoLines : kHeapOneLine) * em_;
        const float box = keys ? kHeapTwoLines : kHeapOneLine;
        levels_ = fit(box, true) >= there ? there : std::min(there, fit(box, false));
        while (levels_ > 1 && !fits_width(levels_)) --levels_;
        last_ = levels_ == 0 ? 0 : levels_ - 1;
        gap_ = kHeapGap * em_;
        const float used =
            static_cast<float>(levels_) * (box_height_ + gap_) + (levels_ < there ? kHeapBelow * em_ : 0);
        if (levels_ > 1) gap_ = std::min(1.6F * em_, gap_ + (room - used) / static_cast<float>(levels_));
    }

    bool fits_width(std::size_t levels) const noexcept {
        return levels <= 1 || out_.rect.width() / static_cast<float>(std::size_t{1} << (levels - 1)) >=
                                  least_ + (kLeastNode - kLeastCell + kHeapApart) * em_;
    }

    void place_nodes() {
        for (HeapItem& item : out_.items) {
            const std::size_t level = level_of(item.place);
            if (level >= levels_) return;
            const std::size_t first = (std::size_t{1} << level) - 1;
            const float width = std::min(kMostNode * em_, pitch(level) - kHeapApart * em_);
            if (item.place == first) whole_names_ = all_fit(first, 2 * first + 1, width - 0.3F * em_);
            const float left = out_.rect.middle_x() - pitch(level) * static_cast<float>(std::size_t{1} << level) / 2;
            const float x = left + (static_cast<float>(item.place - first) + 0.5F) * pitch(level);
            const float y = out_.title.y1 + static_cast<float>(level) * (box_height_ + gap_);
            write_node(item, {x - width / 2, y, x + width / 2, y + box_height_});
        }
    }

    void write_node(HeapItem& item, Rect node) const {
        item.node = node;
        item.name = whole_names_ ? name_of(item) : short_name(item);
        const std::uint32_t key = set_.members[member_at_[item.place]].key;
        if (box_height_ > 2 * em_ && key != kNone)
            item.key = key_that_fits(metrics_, node.width() - 0.3F * em_, trace::printable(replay_.trace().text(key)));
        const std::size_t below = level_of(item.place) + 1 == levels_ ? descendants(item.place, size()) : 0;
        if (below == 0) return;
        item.below = "+" + trace::grouped(static_cast<std::int64_t>(below));
        item.below_rect = {node.x0, node.y1, node.x1, node.y1 + kHeapBelow * em_};
    }

    /// Whether the event at the playhead moved an item between these two places: one is filled by it, the other free.
    bool moved(std::size_t parent, std::size_t child) const noexcept {
        if (!event_ || event_->kind != Kind::move) return false;
        const bool down = out_.items[child].now && held_ == parent, up = out_.items[parent].now && held_ == child;
        return down || up;
    }

    void add_lines() {
        for (std::size_t child = 1; child < items(); ++child) {
            const HeapItem &lower = out_.items[child], &upper = out_.items[parent_of(child)];
            if (lower.node.empty()) return;
            const Point top{upper.node.middle_x(), upper.node.y1}, bottom{lower.node.middle_x(), lower.node.y0};
            if (!moved(upper.place, child))
                out_.lines.push_back({top, bottom, false});
            else
                out_.lines.push_back({lower.now ? top : bottom, lower.now ? bottom : top, true});
        }
    }

    void write_title() {
        const std::string doing = counted(set_.role, size(), metrics_.language);
        const std::string count = trace::grouped(static_cast<std::int64_t>(size()));
        const std::string by =
            set_.key == kNone
                ? ""
                : metrics_.says(", by {0}", trace::order_in(key_name(trace::printable(replay_.trace().text(set_.key))),
                                                            metrics_.language));
        const float room = out_.title.width() - 1.15F * metrics_.width(out_.name) - em_;
        const auto item = [&] { return item_name(replay_.trace(), event_->co, event_->other, metrics_.language); };
        std::string what, step;
        if (event_ && event_->kind == Kind::remove)
            what = metrics_.says("{0} leaves", item());
        else if (held_ != kNoPlace)
            what = metrics_.says("{0} is on its way", name_at(held_));
        else if (event_ && event_->kind == Kind::move)
            what = metrics_.says("{0} moves to {1}", item(), event_->x);
        if (event_) step = trace::step_in_words(replay_.trace(), replay_.at() - 1, metrics_.language);
        if (!step.empty()) what = metrics_.says("{0}: {1}", step, what);
        if (!what.empty()) what = metrics_.says("; {0}", what);
        out_.words = first_fitting(metrics_, room, {doing + by + what, doing + what, count + what, doing, count});
    }

    const trace::Replay& replay_;
    const trace::SetNow& set_;
    const Metrics& metrics_;
    float em_;
    std::size_t most_;  // members in the whole trace
    float box_height_ = 0, gap_ = 0;
    float least_ = kLeastCell * em_;      // width of a cell
    std::optional<trace::Event> event_;   // at the playhead, if it is about this set
    std::vector<std::size_t> member_at_;  // by place
    std::vector<bool> in_hand_;           // by place
    std::size_t held_ = kNoPlace;         // the first place that is free
    std::size_t levels_ = 0, last_ = 0;   // how many are drawn; the last of them
    bool whole_names_ = true;             // on the level that is being placed
    HeapView out_;
};

}  // namespace

HeapView layout_heap(const trace::Replay& replay, const trace::SetNow& set, Rect area, const Metrics& metrics,
                     std::uint32_t most) {
    return HeapBuilder(replay, set, area, metrics, most).view();
}

float wanted_heap_height(std::uint32_t members, float em) noexcept {
    const auto levels = static_cast<float>(std::clamp<std::size_t>(std::bit_width(members), 2, kHeapMostLevels));
    return em * (kHeapTitle + levels * (kHeapTwoLines + kHeapGap) - kHeapGap + kAbove + kCell + kIndex + kHeapBelow);
}

}  // namespace fiberscope::viewer
