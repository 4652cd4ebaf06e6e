#include "viewer/layout/timeline/ready_strip.h"

#include <algorithm>
#include <cmath>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

constexpr float kReadyLane = 1.2F;  // em

/// `top`: number of members at the upper end of the plot.
void add_columns(const trace::Replay& replay, const TraceIndex& index, const LengthSteps& lengths,
                 const TimeScale& scale, float top, Plot& plot) {
    const double bucket = bucket_span(scale) / 2, end = static_cast<double>(index.duration());
    const Rect& r = plot.rect;
    const auto y = [&](std::uint32_t length) { return r.y1 - static_cast<float>(length) / top * (r.height() - 1); };
    const auto event = [&](double t) { return replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, t))); };
    double t = std::max(0.0, std::floor(scale.range.from / bucket) * bucket);
    std::size_t first = t <= 0 ? 0 : event(t);
    for (; t < std::min(scale.range.to, end); t += bucket) {
        const std::size_t last = event(t + bucket);
        const LengthSteps::Bounds bounds = lengths.within(first, last);
        plot.columns.push_back({std::max(scale.x(t), r.x0), std::min(scale.x(std::min(t + bucket, end)), r.x1),
                                y(bounds.least), y(bounds.most)});
        first = last;
    }
}

}  // namespace

float ready_lane_height(const TraceIndex& index) noexcept { return index.ready().most() > 0 ? kReadyLane : 0; }

Plot layout_ready(const trace::Replay& replay, const TraceIndex& index, const TimeScale& scale, Rect rect,
                  const Metrics& metrics, std::uint32_t most) {
    Plot plot;
    plot.rect = {rect.x0, rect.y0 + 1, rect.x1, rect.y1 - 1};
    const std::uint32_t now = replay.at() == 0 ? 0 : index.ready().at(replay.at() - 1), its = index.ready().most();
    plot.name = metrics.says(look(trace::State::ready, Theme::dark).word);
    plot.words = metrics.says("{0}, at most {1}", now, its);
    plot.now = std::to_string(now);
    add_columns(replay, index, index.ready(), scale, static_cast<float>(std::max(its, most)), plot);
    return plot;
}

}  // namespace fiberscope::viewer
