#include "viewer/layout/timeline/plots.h"

#include <algorithm>
#include <cmath>

#include "traces/read/printable.h"
#include "traces/words/translated.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

constexpr float kReadyLane = 1.2F;  // em

/// The sets that have plots, in order of their numbers.
std::vector<std::uint32_t> plotted(const TraceIndex& index, std::size_t most) {
    std::vector<std::uint32_t> sets;
    for (std::uint32_t set = 0; set < index.sets(); ++set)
        if (index.set(set).most > 0) sets.push_back(set);
    if (sets.size() <= most) return sets;
    std::stable_sort(sets.begin(), sets.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return index.set(a).most > index.set(b).most; });
    sets.resize(most);
    std::sort(sets.begin(), sets.end());
    return sets;
}

/// To look a set up by its name; it is not shown so.
std::string_view name_of_set(const trace::Replay& replay, std::uint32_t set) {
    return replay.trace().set_name(set).bytes();
}

std::uint32_t top_of(const PlotScales* scales, std::string_view name, std::uint32_t its) {
    if (scales == nullptr) return its;
    const auto found = scales->find(name);
    return found == scales->end() ? its : std::max(its, found->second);
}

/// `top`: how many members the upper end of the plot stands for.
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

SetLengths::SetLengths(const trace::Trace& trace) : steps_(trace.sets()) {
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const trace::Event& e = trace[n];
        const bool comes = e.kind == trace::Kind::insert, goes = e.kind == trace::Kind::remove;
        if ((comes || goes) && e.set < steps_.size()) steps_[e.set].add(n, comes);
    }
}

std::vector<std::uint32_t> SetLengths::most_near(std::size_t n) const {
    constexpr std::size_t kNear = 64;
    std::vector<std::uint32_t> most;
    most.reserve(steps_.size());
    for (const LengthSteps& steps : steps_) most.push_back(steps.within(n - std::min(n, kNear), n + kNear).most);
    return most;
}

std::size_t count_plots(const TraceIndex& index) noexcept { return plotted(index, kMostPlots).size(); }

std::vector<Plot> layout_plots(const trace::Replay& replay, const TraceIndex& index, const SetLengths& lengths,
                               const TimeScale& scale, float y0, const Metrics& metrics, std::size_t most_plots,
                               const PlotScales* scales) {
    std::vector<Plot> plots;
    const std::size_t last = replay.at();
    for (const std::uint32_t set : plotted(index, most_plots)) {
        Plot plot;
        const std::uint32_t its = std::max(1U, index.set(set).most),
                            top = top_of(scales, name_of_set(replay, set), its);
        const float em = metrics.em, most = static_cast<float>(top);
        plot.rect = {scale.x0, y0 + 0.15F * em, scale.x1, y0 + kPlot * em};
        plot.name = trace::set_in(trace::printable(replay.trace().set_name(set)), metrics.language);
        const std::uint32_t now = last == 0 ? 0 : lengths.of(set).at(last - 1);
        plot.words = metrics.says("{0}, at most {1}", now, index.set(set).most);
        if (top > its) plot.words += metrics.says(" (top: {0})", top);
        plot.now = std::to_string(now);
        add_columns(replay, index, lengths.of(set), scale, most, plot);
        plots.push_back(std::move(plot));
        y0 += kPlot * em;
    }
    return plots;
}

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
