#include "viewer/layout/page/frame.h"

#include <algorithm>
#include <utility>

namespace fiberscope::viewer {
namespace {

constexpr float kTall = 26;                                 // em: height at which the two sides of a switch are stacked
constexpr float kStacked = 26;                              // em: the width that they need then
constexpr float kFairShare = 0.52F, kFairMost = 16.2F;      // of the room, and em: for lanes above sets
constexpr float kOneColumn = 44;                            // em: minimum width for two columns
constexpr float kLowWindow = 30;                            // em: minimum height for panels below the lanes
constexpr float kLanesBeside = 0.56F;                       // of the width, in a low window
constexpr float kLanesAboveSets = 0.38F;                    // of the height, at most, if the sets need the rest
constexpr float kPanelTabs = 1.9F;                          // em: height of the row of tabs
constexpr float kFewEvents = 7, kManyEvents = 16;           // em: heights of the event list
constexpr float kSentence = 6.4F, kSentenceNarrow = 10.1F;  // em: heights of the sentences

/// Divides the right column; the shared stacks are cut if the states would get too little.
void divide_right(Frame& out, Rect column, float em, float gap, const Wishes& wishes) {
    out.states = out.stacks = column;
    if (wishes.stacks <= 0) {
        out.stacks = {column.x1, column.y1, column.x1, column.y1};
        return;
    }
    const bool enough = wishes.states + gap + wishes.stacks <= column.height();
    const float wish = std::max(7 * em, enough || wishes.stacks_low <= 0 ? wishes.stacks : wishes.stacks_low);
    const float states = std::min(wishes.states, 0.55F * column.height());
    const float stacks = std::clamp(column.height() - states - gap, 7 * em, wish);
    out.stacks.y0 = column.y1 - stacks;
    out.states.y1 = out.stacks.y0 - gap;
}

/// Places the events and, if recorded, the registers beside each other.
void divide_lists(Frame& out, Rect below, float em, float gap, const Wishes& wishes) {
    out.events = below;
    if (!wishes.registers) return;
    // If the height suffices, the saved and loaded registers are stacked, and the sentences get the width.
    const bool tall = below.height() >= kTall * em;
    const float share = tall ? std::max(0.47F, 1 - kStacked * em / below.width()) : 0.47F;
    const float split = below.x0 + below.width() * share;
    out.events.x1 = split - gap / 2;
    out.registers = {split + gap / 2, below.y0, below.x1, below.y1};
}

/// If the sets took the place of the events, moves these below the states if there is room.
void events_to_the_right(Frame& out, float em, float gap, const Wishes& wishes) {
    const float free = out.states.height() - wishes.states - gap;
    if (!out.stacks.empty() || free < kFewEvents * em) return;
    out.events = out.states;
    out.events.y0 = out.states.y1 - std::min(free, kManyEvents * em);
    out.states.y1 = out.events.y0 - gap;
}

float gap_of(float em) noexcept { return 0.35F * em; }

float sentence_height(Rect all, float em) noexcept { return (is_narrow(all, em) ? kSentenceNarrow : kSentence) * em; }

float right_width(float all, float em) noexcept { return std::clamp(all * 0.275F, 19 * em, 34 * em); }

}  // namespace

std::span<const FramePart> frame_parts() noexcept {
    static constexpr FramePart kParts[] = {{"sentence", &Frame::sentence},
                                           {"lanes", &Frame::timeline},
                                           {"legend", &Frame::legend},
                                           {"sets", &Frame::sets, mark("sets", "tab")},
                                           {"states", &Frame::states, mark("states", "tab")},
                                           {"events", &Frame::events, mark("events", "tab")},
                                           {"registers", &Frame::registers, mark("registers", "tab")},
                                           {"stacks", &Frame::stacks, mark("stacks", "tab")},
                                           {"table", &Frame::table}};
    return kParts;
}

bool Wishes::exists(Rect Frame::*part) const noexcept {
    return part == &Frame::sets        ? sets > 0
           : part == &Frame::stacks    ? stacks > 0
           : part == &Frame::registers ? registers
                                       : part != nullptr;
}

bool is_narrow(Rect area, float em) noexcept { return area.width() < kOneColumn * em; }

bool is_small(Rect area, float em) noexcept { return is_narrow(area, em) || area.height() < kLowWindow * em; }

float left_width(Rect area, float em) noexcept {
    const float all = area.width() - 2 * gap_of(em);
    if (is_narrow(area, em)) return all;
    return all - right_width(all, em) - gap_of(em);
}

namespace {

/// The sentence and the playback, and the room between them.
struct Middle {
    Frame frame;
    Rect room;
};
Middle around_panels(Rect area, float em, bool present) {
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + sentence_height(all, em)};
    out.playback = {all.x0, all.y1 - (present ? 0 : 2.5F * em), all.x1, all.y1};
    return {out, {all.x0, out.sentence.y1 + gap, all.x1, out.playback.y0 - (present ? 0 : gap)}};
}

/// The sets get their preferred height if the lanes above remain readable, else none; at most half of the room.
Frame layout_presentation(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    auto [out, all] = around_panels(area, em, true);
    out.timeline = all;
    const float room = all.height();
    if (wishes.table && room >= 16 * em) {
        out.timeline.y1 = all.y0 + std::clamp(wishes.timeline, 7 * em, 0.5F * room);
        out.table = {all.x0, out.timeline.y1 + gap, all.x1, all.y1};
        return out;
    }
    const float least = 7 * em, most = std::min(wishes.sets, 0.5F * room);
    if (wishes.sets <= 0 || most < 9 * em || room - most - gap < 0.99F * least) return out;
    const float lanes = std::min(room - most - gap, std::max(least, wishes.timeline));
    out.timeline.y1 = all.y0 + lanes;
    out.sets = {all.x0, out.timeline.y1 + gap, all.x1, all.y1};
    return out;
}

/// The panel of the chosen tab.
Rect Frame::*part_in_tabs(const Wishes& wishes) noexcept {
    if (wishes.table) return &Frame::table;
    if (wishes.exists(wishes.tab)) return wishes.tab;
    return wishes.sets > 0 ? &Frame::sets : &Frame::states;
}

/// Places the tabs at the top of `area`, and the chosen panel below them.
void place_tabs(Frame& out, Rect area, float em, const Wishes& wishes) {
    out.tabs = {area.x0, area.y0, area.x1, area.y0 + kPanelTabs * em};
    area.y0 = out.tabs.y1 + gap_of(em);
    out.*part_in_tabs(wishes) = area;
}

Frame layout_column(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    auto [out, all] = around_panels(area, em, false);
    const float room = all.height() - 2 * gap - kPanelTabs * em;
    const bool sets = part_in_tabs(wishes) == &Frame::sets;
    const float most = sets ? std::max(kLanesAboveSets * room, room - wishes.sets) : 0.5F * room;
    const float lanes = std::clamp(wishes.timeline, 8 * em, std::max(8 * em, most));
    out.timeline = {all.x0, all.y0, all.x1, all.y0 + lanes};
    place_tabs(out, {all.x0, out.timeline.y1 + gap, all.x1, all.y1}, em, wishes);
    return out;
}

Frame layout_low(Rect area, float em, const Wishes& wishes) {
    auto [out, all] = around_panels(area, em, false);
    const float split = all.x0 + kLanesBeside * all.width();
    out.timeline = {all.x0, all.y0, split, all.y1};
    place_tabs(out, {split + gap_of(em), all.y0, all.x1, all.y1}, em, wishes);
    return out;
}

Frame layout_maximized(Rect area, float em, const Wishes& wishes) {
    auto [out, all] = around_panels(area, em, wishes.present);
    out.timeline = {all.x0, all.y0, all.x1, all.y0};
    out.*wishes.maximized = all;
    return out;
}

/// The left column of a two-column window: lanes, their legend, and the panels below.
class LeftColumn {
  public:
    LeftColumn(Rect area, float em, const Wishes& wishes)
        : area_(area),
          em_(em),
          gap_(gap_of(em)),
          wishes_(wishes),
          legend_(std::max(1.9F * em, wishes.legend + 0.6F * em)),
          room_(area.height() - legend_ - 2 * gap_),
          lists_((wishes.registers ? 15.2F : 9.0F) * em) {}

    void place_table(Frame& out) const {
        out.table = below_lanes(out, std::clamp(wishes_.timeline, 5 * em_, std::max(5 * em_, 0.5F * room_)));
    }

    void place(Frame& out) const {
        const bool sets = wishes_.sets > 0, aside = events_stand_aside(out), both = !aside && lists_have_room();
        Rect below = below_lanes(out, aside && !sets ? room_ : height_of_lanes(both));
        if (sets) out.sets = below;
        if (!both) return events_to_the_right(out, em_, gap_, wishes_);
        if (sets) below.y0 = (out.sets.y1 = below.y0 + wishes_.sets) + gap_;
        divide_lists(out, below, em_, gap_, wishes_);
    }

  private:
    /// Places the lanes and their legend; returns the remaining area.
    Rect below_lanes(Frame& out, float lanes) const {
        out.timeline = {area_.x0, area_.y0, area_.x1, area_.y0 + lanes};
        out.legend = {area_.x0, out.timeline.y1 + gap_, area_.x1, out.timeline.y1 + gap_ + legend_};
        return {area_.x0, out.legend.y1 + gap_, area_.x1, area_.y1};
    }
    float sets_and_gap() const noexcept { return wishes_.sets > 0 ? wishes_.sets + gap_ : 0; }
    /// Whether the event list moves below the states to make room for the lanes.
    bool events_stand_aside(const Frame& out) const noexcept {
        return wishes_.stacks <= 0 && out.states.height() - wishes_.states - gap_ >= kFewEvents * em_ &&
               !wishes_.registers && wishes_.timeline > room_ - lists_ - sets_and_gap();
    }
    bool lists_have_room() const noexcept {
        return wishes_.sets <= 0 || room_ >= wishes_.least_timeline + sets_and_gap() + lists_;
    }
    float height_of_lanes(bool both) const noexcept {
        const bool sets = wishes_.sets > 0;
        const float others = both ? lists_ + sets_and_gap() : sets ? wishes_.sets : 0;
        // If the lanes scroll anyway, the sets get at most half of the room.
        const float fair = sets ? std::min({wishes_.least_timeline, kFairShare * room_, kFairMost * em_}) : 0;
        const float most = std::max({(sets ? 8 : 5) * em_, room_ - others, fair});
        return std::min(most, std::max(8 * em_, wishes_.timeline));
    }

    Rect area_;
    float em_, gap_;
    const Wishes& wishes_;
    float legend_, room_, lists_;
};

}  // namespace

Frame layout_frame(Rect area, float em, const Wishes& wishes) {
    if (wishes.exists(wishes.maximized)) return layout_maximized(area, em, wishes);
    if (wishes.present) return layout_presentation(area, em, wishes);
    if (is_narrow(area, em)) return layout_column(area, em, wishes);
    if (is_small(area, em)) return layout_low(area, em, wishes);
    const float gap = gap_of(em);
    auto [out, all] = around_panels(area, em, false);
    divide_right(out, {all.x1 - right_width(all.width(), em), all.y0, all.x1, all.y1}, em, gap, wishes);
    const LeftColumn left({all.x0, all.y0, out.states.x0 - gap, all.y1}, em, wishes);
    wishes.table ? left.place_table(out) : left.place(out);
    return out;
}

}  // namespace fiberscope::viewer
