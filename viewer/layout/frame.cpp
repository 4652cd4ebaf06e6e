#include "viewer/layout/frame.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTall = 26;     // em: height for both sides of a switch one above the other
constexpr float kStacked = 26;  // em: the width that they need then

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

float gap_of(float em) noexcept { return 0.35F * em; }

float right_width(float all, float em) noexcept { return std::clamp(all * 0.275F, 19 * em, 34 * em); }

}  // namespace

float left_width(Rect area, float em) noexcept {
    const float all = area.width() - 2 * gap_of(em);
    return all - right_width(all, em) - gap_of(em);
}

Frame layout_frame(Rect area, float em, const Wishes& wishes) {
    const float gap = gap_of(em);
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + 4.1F * em};
    out.playback = {all.x0, all.y1 - 2.5F * em, all.x1, all.y1};
    const float top = out.sentence.y1 + gap, bottom = out.playback.y0 - gap;
    divide_right(out, {all.x1 - right_width(all.width(), em), top, all.x1, bottom}, em, gap, wishes);

    const float left_end = out.states.x0 - gap;
    const float legend = std::max(1.9F * em, wishes.legend + 0.6F * em);
    const float lists = (wishes.registers ? 15.2F : 9.0F) * em;
    const float most = std::max(5 * em, bottom - top - legend - 2 * gap - lists);
    out.timeline = {all.x0, top, left_end, top + std::min(most, std::max(8 * em, wishes.timeline))};
    out.legend = {all.x0, out.timeline.y1 + gap, left_end, out.timeline.y1 + gap + legend};
    const float below = out.legend.y1 + gap;
    // Where there is height for it, what was saved stands above what was loaded, and the sentences get the width.
    const bool tall = bottom - below >= kTall * em;
    const float width = left_end - all.x0;
    const float share = wishes.registers ? (tall ? std::max(0.47F, 1 - kStacked * em / width) : 0.47F) : 0.70F;
    const float split = all.x0 + width * share;
    out.events = {all.x0, below, split - gap / 2, bottom};
    out.registers = {split + gap / 2, below, left_end, bottom};
    return out;
}

}  // namespace fiberscope::viewer
