#include "viewer/layout/page/frame.h"

#include <algorithm>
#include <utility>

namespace fiberscope::viewer {
namespace {

constexpr float kTall = 26;                                 // em: height at which the two sides of a switch are stacked
constexpr float kStacked = 26;                              // em: the width that they need then
constexpr float kFairShare = 0.52F, kFairMost = 16.2F;      // of the room, and em: for lanes above sets
constexpr float kOneColumn = 44;                            // em: minimum width for two columns
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
    // If the height suffices, the saved and loaded registers are stacked, and the sentences get the width.
    const bool tall = below.height() >= kTall * em;
    const float share = wishes.registers ? (tall ? std::max(0.47F, 1 - kStacked * em / below.width()) : 0.47F) : 0.70F;
    const float split = below.x0 + below.width() * share;
    out.events = {below.x0, below.y0, split - gap / 2, below.y1};
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

bool is_narrow(Rect area, float em) noexcept { return area.width() < kOneColumn * em; }

float left_width(Rect area, float em) noexcept {
    if (is_narrow(area, em)) return area.width() - 2 * gap_of(em);
    const float all = area.width() - 2 * gap_of(em);
    return all - right_width(all, em) - gap_of(em);
}

namespace {

/// The sets get their preferred height if the lanes above remain readable, else none; at most half of the room, unless
/// they come first.
Frame layout_presentation(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + sentence_height(all, em)};
    out.timeline = {all.x0, out.sentence.y1 + gap, all.x1, all.y1};
    const float room = out.timeline.height();
    if (wishes.table && room >= 16 * em) {
        out.timeline.y1 = out.timeline.y0 + std::clamp(wishes.timeline, 7 * em, 0.5F * room);
        out.table = {all.x0, out.timeline.y1 + gap, all.x1, all.y1};
        return out;
    }
    const float least = 7 * em, share = wishes.sets_first ? room - least - gap : 0.5F * room;
    const float most = std::min(wishes.sets, share);
    if (wishes.sets <= 0 || most < 9 * em || room - most - gap < 0.99F * least) return out;
    const float lanes = std::min(room - most - gap, std::max(least, wishes.timeline));
    out.timeline.y1 = out.timeline.y0 + lanes;
    out.sets = {all.x0, out.timeline.y1 + gap, all.x1, all.y1};
    return out;
}

Frame layout_column(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + sentence_height(all, em)};
    out.playback = {all.x0, all.y1 - 2.5F * em, all.x1, all.y1};
    const float top = out.sentence.y1 + gap, bottom = out.playback.y0 - gap, room = bottom - top - gap;
    const float half = std::max(8 * em, 0.5F * room);
    const float most = wishes.sets > 0 && !wishes.table ? std::max(half, room - wishes.sets) : half;
    const float lanes = std::clamp(wishes.timeline, 8 * em, most);
    out.timeline = {all.x0, top, all.x1, top + lanes};
    const Rect below{all.x0, out.timeline.y1 + gap, all.x1, bottom};
    (wishes.table ? out.table : wishes.sets > 0 ? out.sets : out.states) = below;
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
    if (wishes.present) return layout_presentation(area, em, wishes);
    if (is_narrow(area, em)) return layout_column(area, em, wishes);
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + sentence_height(all, em)};
    out.playback = {all.x0, all.y1 - 2.5F * em, all.x1, all.y1};
    const float top = out.sentence.y1 + gap, bottom = out.playback.y0 - gap;
    divide_right(out, {all.x1 - right_width(all.width(), em), top, all.x1, bottom}, em, gap, wishes);
    const LeftColumn left({all.x0, top, out.states.x0 - gap, bottom}, em, wishes);
    wishes.table ? left.place_table(out) : left.place(out);
    return out;
}

}  // namespace fiberscope::viewer
