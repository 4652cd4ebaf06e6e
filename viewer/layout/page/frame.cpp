#include "viewer/layout/page/frame.h"

#include <algorithm>
#include <utility>

namespace fiberscope::viewer {
namespace {

constexpr float kTall = 26;                            // em: height for both sides of a switch one above the other
constexpr float kStacked = 26;                         // em: the width that they need then
constexpr float kFairShare = 0.52F, kFairMost = 16.2F;  // of the room, and em: for lanes above sets
constexpr float kOneColumn = 44;                       // em: below this width there is one column
constexpr float kFewEvents = 7, kManyEvents = 16;      // em: heights of a list of events

/// The column at the right; what the shared stacks want is cut where the states would get too little.
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

/// The events and, if the trace has any, the registers beside each other.
void divide_lists(Frame& out, Rect below, float em, float gap, const Wishes& wishes) {
    // Where there is height for it, what was saved stands above what was loaded, and the sentences get the width.
    const bool tall = below.height() >= kTall * em;
    const float share = wishes.registers ? (tall ? std::max(0.47F, 1 - kStacked * em / below.width()) : 0.47F) : 0.70F;
    const float split = below.x0 + below.width() * share;
    out.events = {below.x0, below.y0, split - gap / 2, below.y1};
    out.registers = {split + gap / 2, below.y0, below.x1, below.y1};
}

/// Where the sets took their place, the events go below the states, if there is room.
void events_to_the_right(Frame& out, float em, float gap, const Wishes& wishes) {
    const float free = out.states.height() - wishes.states - gap;
    if (!out.stacks.empty() || free < kFewEvents * em) return;
    out.events = out.states;
    out.events.y0 = out.states.y1 - std::min(free, kManyEvents * em);
    out.states.y1 = out.events.y0 - gap;
}

float gap_of(float em) noexcept { return 0.35F * em; }

float right_width(float all, float em) noexcept { return std::clamp(all * 0.275F, 19 * em, 34 * em); }

}  // namespace

float left_width(Rect area, float em) noexcept {
    if (area.width() < kOneColumn * em) return area.width() - 2 * gap_of(em);
    const float all = area.width() - 2 * gap_of(em);
    return all - right_width(all, em) - gap_of(em);
}

namespace {

/// The sets get what they want below lanes that can be read, or no place.
Frame layout_presentation(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + 6.4F * em};
    out.timeline = {all.x0, out.sentence.y1 + gap, all.x1, all.y1};
    const float room = out.timeline.height(), sets = std::min(wishes.sets, 0.5F * room);
    if (wishes.table && room >= 16 * em) {
        out.timeline.y1 = out.timeline.y0 + std::clamp(wishes.timeline, 7 * em, 0.5F * room);
        out.table = {all.x0, out.timeline.y1 + gap, all.x1, all.y1};
        return out;
    }
    const bool both = wishes.sets > 0 && sets >= 9 * em && room - sets - gap >= 7 * em;
    if (!both) return out;
    const float lanes = std::min(room - sets - gap, std::max(7 * em, wishes.timeline));
    out.timeline.y1 = out.timeline.y0 + lanes;
    out.sets = {all.x0, out.timeline.y1 + gap, all.x1, all.y1};
    return out;
}

Frame layout_column(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + 6.4F * em};
    out.playback = {all.x0, all.y1 - 2.5F * em, all.x1, all.y1};
    const float top = out.sentence.y1 + gap, bottom = out.playback.y0 - gap, room = bottom - top - gap;
    const float lanes = std::clamp(wishes.timeline, 8 * em, std::max(8 * em, 0.5F * room));
    out.timeline = {all.x0, top, all.x1, top + lanes};
    const Rect below{all.x0, out.timeline.y1 + gap, all.x1, bottom};
    (wishes.table ? out.table : wishes.sets > 0 ? out.sets : out.states) = below;
    return out;
}

}  // namespace

Frame layout_frame(Rect area, float em, const Wishes& wishes) {
    if (wishes.present) return layout_presentation(area, em, wishes);
    if (area.width() < kOneColumn * em) return layout_column(area, em, wishes);
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + 6.4F * em};
    out.playback = {all.x0, all.y1 - 2.5F * em, all.x1, all.y1};
    const float top = out.sentence.y1 + gap, bottom = out.playback.y0 - gap;
    divide_right(out, {all.x1 - right_width(all.width(), em), top, all.x1, bottom}, em, gap, wishes);

    const float left_end = out.states.x0 - gap;
    const float legend = std::max(1.9F * em, wishes.legend + 0.6F * em);
    const float room = bottom - top - legend - 2 * gap;
    if (wishes.table) {
        const float lanes = std::clamp(wishes.timeline, 5 * em, std::max(5 * em, 0.5F * room));
        out.timeline = {all.x0, top, left_end, top + lanes};
        out.legend = {all.x0, out.timeline.y1 + gap, left_end, out.timeline.y1 + gap + legend};
        out.table = {all.x0, out.legend.y1 + gap, left_end, bottom};
        out.histograms = std::exchange(out.states, Rect{});
        return out;
    }
    const float lists = (wishes.registers ? 15.2F : 9.0F) * em;
    // Events that have room below the states leave theirs to lanes that need it.
    const bool aside = wishes.stacks <= 0 && out.states.height() - wishes.states - gap >= kFewEvents * em &&
                       !wishes.registers && wishes.timeline > room - lists - (wishes.sets > 0 ? wishes.sets + gap : 0);
    const bool both = !aside && (wishes.sets <= 0 || room >= wishes.least_timeline + wishes.sets + gap + lists);
    const float others = (both ? lists : 0) + (wishes.sets <= 0 ? 0 : both ? wishes.sets + gap : wishes.sets);
    // What the sets want is for their fullest moment: beside lanes that scroll they get half of the room.
    const float fair = wishes.sets <= 0 ? 0 : std::min({wishes.least_timeline, kFairShare * room, kFairMost * em});
    const float most = std::max({(wishes.sets <= 0 ? 5 : 8) * em + wishes.plots, room - others, fair});
    const bool alone = aside && wishes.sets <= 0;
    out.timeline = {all.x0, top, left_end, top + (alone ? room : std::min(most, std::max(8 * em, wishes.timeline)))};
    out.legend = {all.x0, out.timeline.y1 + gap, left_end, out.timeline.y1 + gap + legend};
    Rect below{all.x0, out.legend.y1 + gap, left_end, bottom};
    if (wishes.sets > 0) out.sets = below;
    if (!both) {
        events_to_the_right(out, em, gap, wishes);
        return out;
    }
    if (wishes.sets > 0) below.y0 = (out.sets.y1 = below.y0 + wishes.sets) + gap;
    divide_lists(out, below, em, gap, wishes);
    return out;
}

}  // namespace fiberscope::viewer
