#include "viewer/layout/timeline/differences.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

constexpr float kDifferenceLane = 1.25F, kSign = 0.85F;  // em
constexpr float kThinBar = 3;                            // pixels: minimum bar width; closer bars are merged

/// The chosen stretch always has its sign; other signs do not overlap.
void place_signs(DifferenceLane& lane, float width) {
    const auto sign = [&](const DifferenceBar& bar) {
        const float x = std::min(bar.rect.x0, lane.rect.x1 - width);
        return Rect{x, lane.rect.y0, x + width, lane.rect.y1};
    };
    Rect taken;
    for (DifferenceBar& bar : lane.bars)
        if (bar.chosen) taken = bar.sign = sign(bar);
    float free = lane.rect.x0;
    for (DifferenceBar& bar : lane.bars) {
        const Rect place = sign(bar);
        const bool covered = !taken.empty() && place.x0 < taken.x1 && taken.x0 < place.x1;
        if (bar.chosen || covered || place.x0 < free) continue;
        bar.sign = place;
        free = place.x1 + 0.1F * width;
    }
}

}  // namespace

std::optional<std::size_t> DifferenceLane::at(Point p, float em) const noexcept {
    if (p.y < rect.y0 || p.y >= rect.y1 || p.x < rect.x0 || p.x >= rect.x1) return std::nullopt;
    for (const DifferenceBar& bar : bars)
        if (!bar.sign.empty() && bar.sign.contains(p)) return bar.index;
    std::optional<std::size_t> nearest;
    float least = 0.5F * em;
    for (const DifferenceBar& bar : bars) {
        const float away = std::max({0.0F, bar.rect.x0 - p.x, p.x - bar.rect.x1});
        if (away > least || (nearest && away == least)) continue;
        least = away;
        nearest = bar.index;
    }
    return nearest;
}

float difference_lane_height(const DifferenceView& view) noexcept {
    return view.stretches == nullptr || view.stretches->empty() ? 0 : kDifferenceLane;
}

DifferenceLane layout_differences(const DifferenceView& view, const TimeScale& scale, const Metrics& metrics,
                                  Rect names, Rect rect) {
    DifferenceLane lane;
    if (difference_lane_height(view) <= 0) return lane;
    const auto& all = *view.stretches;
    lane.names = names;
    lane.rect = rect;
    lane.name = "≠ " + std::to_string(all.size());
    const auto inside = [&](double t) { return std::clamp(scale.x(t), rect.x0, rect.x1); };
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const Range& r) { return r.to < scale.range.from; });
    for (auto it = first; it != all.end() && it->from <= scale.range.to; ++it) {
        const auto index = static_cast<std::size_t>(it - all.begin());
        const float x0 = inside(it->from), x1 = std::max(inside(it->to), x0 + kThinBar);
        const bool chosen = view.chosen == index;
        if (!lane.bars.empty() && x0 < lane.bars.back().rect.x0 + kThinBar) {
            DifferenceBar& last = lane.bars.back();
            last.rect.x1 = std::max(last.rect.x1, x1);
            if (chosen) last.index = index;
            last.chosen = last.chosen || chosen;
            continue;
        }
        lane.bars.push_back({{x0, rect.y0, x1, rect.y1}, {}, index, chosen});
    }
    place_signs(lane, kSign * metrics.em);
    return lane;
}

}  // namespace fiberscope::viewer
