#include "viewer/layout/frame.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTall = 26;     // em: height for both sides of a switch one above the other
constexpr float kStacked = 26;  // em: the width that they need then

}  // namespace

Frame layout_frame(Rect area, float em, float timeline_wants, bool with_registers) {
    const float gap = 0.35F * em;
    const Rect all = area.shrunk(gap);
    Frame out;
    out.sentence = {all.x0, all.y0, all.x1, all.y0 + 4.1F * em};
    out.playback = {all.x0, all.y1 - 2.5F * em, all.x1, all.y1};
    const float top = out.sentence.y1 + gap, bottom = out.playback.y0 - gap;
    const float right = std::clamp(all.width() * 0.275F, 19 * em, 34 * em);
    out.states = {all.x1 - right, top, all.x1, bottom};

    const float left_end = out.states.x0 - gap;
    const float legend = 1.9F * em;
    const float lists = (with_registers ? 15.2F : 9.0F) * em;
    const float most = std::max(5 * em, bottom - top - legend - 2 * gap - lists);
    out.timeline = {all.x0, top, left_end, top + std::min(most, std::max(8 * em, timeline_wants))};
    out.legend = {all.x0, out.timeline.y1 + gap, left_end, out.timeline.y1 + gap + legend};
    const float below = out.legend.y1 + gap;
    // Where there is height for it, what was saved stands above what was loaded, and the sentences get the width.
    const bool tall = bottom - below >= kTall * em;
    const float left_width = left_end - all.x0;
    const float share = with_registers ? (tall ? std::max(0.47F, 1 - kStacked * em / left_width) : 0.47F) : 0.70F;
    const float split = all.x0 + left_width * share;
    out.events = {all.x0, below, split - gap / 2, bottom};
    out.registers = {split + gap / 2, below, left_end, bottom};
    return out;
}

}  // namespace fiberscope::viewer
