#include "viewer/layout/timeline/choices.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

using trace::Turn;

constexpr float kHeight = 1.5F, kSpace = 0.15F, kChoicesGap = 0.3F;  // em

bool costs(const trace::Event& e) noexcept {
    return e.first<Turn>() == Turn::preemption || e.first<Turn>() == Turn::seen_later;
}

std::string chosen_text(const trace::Event& e) {
    return e.first<Turn>() == Turn::seen_later ? "…" : std::to_string(e.other);
}

/// The alternatives.
std::string others_text(const trace::Trace& trace, const trace::Event& e, Language language) {
    if (e.first<Turn>() == Turn::seen_later) return say(language, "not now");
    if (e.first<Turn>() == Turn::seen_at_once) return say(language, "not later");
    const trace::Foreign others = trace.text(e.text);
    return others.empty() ? "" : say(language, "not {0}", trace::printable(others));
}

/// The mark of one choice; `end` is the position of the next one.
ChoiceMark mark_of(const trace::Trace& trace, std::uint32_t n, float x, float end, Rect rect, const Metrics& metrics) {
    const trace::Event& e = trace[n];
    ChoiceMark mark;
    mark.event = n;
    mark.costs = costs(e);
    mark.chosen = chosen_text(e);
    const float width = std::max(metrics.width(mark.chosen) + 2 * kChoicesGap * metrics.em, 1.1F * metrics.em);
    if (end >= rect.x1) x = std::min(x, rect.x1 - width);  // keep the last one left of the axis end
    mark.rect = {x, rect.y0 + kSpace * metrics.em, x + width, rect.y1 - kSpace * metrics.em};
    mark.others_x = x + width + kChoicesGap * metrics.em;
    mark.others = others_text(trace, e, metrics.language);
    if (mark.others_x + metrics.width(mark.others) + kChoicesGap * metrics.em > end) mark.others.clear();
    if (mark.rect.x1 > end + 0.5F) {
        mark.chosen.clear();
        mark.rect.x1 = std::max(x + kThinnest, end - 1);
    }
    return mark;
}

}  // namespace

float choice_lane_height(const TraceIndex& index) noexcept { return index.choices().empty() ? 0 : kHeight; }

ChoiceLane layout_choices(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                          const TimeScale& scale, const Metrics& metrics, Rect names, Rect rect) {
    ChoiceLane lane{names, rect, {}};
    const trace::Trace& trace = replay.trace();
    const auto events = index.choices();
    const auto x_of = [&](std::size_t i) { return scale.x(static_cast<double>(trace.time(events[i]))); };
    std::size_t i = first_from(trace, events, scale.range.from);
    while (i < events.size() && static_cast<double>(trace.time(events[i])) <= scale.range.to) {
        const double column = scale.t(x_of(i) + kThinnest);
        const std::size_t next = std::max(i + 1, i + first_from(trace, events.subspan(i), column));
        const float end = next < events.size() ? std::min(x_of(next), rect.x1) : rect.x1;
        ChoiceMark mark = mark_of(trace, events[i], x_of(i), end, rect, metrics);
        for (std::size_t k = i; k < next; ++k) {
            mark.costs = mark.costs || costs(trace[events[k]]);
            mark.at_playhead = mark.at_playhead || events[k] + 1 == selection.playhead;
        }
        if (next - i > 1) {
            mark.merged = static_cast<std::uint32_t>(next - i);
            mark.chosen.clear();
            mark.others.clear();
            mark.rect.x1 = x_of(i) + kThinnest;
        }
        lane.marks.push_back(std::move(mark));
        i = next;
    }
    return lane;
}

}  // namespace fiberscope::viewer
