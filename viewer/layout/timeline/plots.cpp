#include "viewer/layout/timeline/plots.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/translated.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kBlock = 64;
constexpr float kPlotsColumn = 2;  // pixels

void join(SetLengths::Bounds& all, SetLengths::Bounds more) noexcept {
    all.least = std::min(all.least, more.least);
    all.most = std::max(all.most, more.most);
}

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

}  // namespace

SetLengths::SetLengths(const trace::Trace& trace) : steps_(trace.sets()), blocks_(trace.sets()) {
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const trace::Event& e = trace[n];
        const bool comes = e.kind == trace::Kind::insert, goes = e.kind == trace::Kind::remove;
        if ((!comes && !goes) || e.set >= steps_.size()) continue;
        auto& steps = steps_[e.set];
        const std::uint32_t before = steps.empty() ? 0 : steps.back().length;
        steps.push_back({static_cast<std::uint32_t>(n), comes ? before + 1 : before == 0 ? 0 : before - 1});
        auto& blocks = blocks_[e.set];
        const Bounds now{steps.back().length, steps.back().length};
        if (steps.size() % kBlock == 1)
            blocks.push_back(now);
        else
            join(blocks.back(), now);
    }
}

std::size_t SetLengths::steps_until(std::uint32_t set, std::size_t n) const noexcept {
    const auto& steps = steps_[set];
    return static_cast<std::size_t>(
        std::partition_point(steps.begin(), steps.end(), [&](const Step& s) { return s.event < n; }) - steps.begin());
}

std::uint32_t SetLengths::at(std::uint32_t set, std::size_t n) const noexcept {
    const std::size_t count = steps_until(set, n + 1);
    return count == 0 ? 0 : steps_[set][count - 1].length;
}

SetLengths::Bounds SetLengths::within(std::uint32_t set, std::size_t first, std::size_t last) const noexcept {
    const std::uint32_t begin = first == 0 ? 0 : at(set, first - 1);
    Bounds all{begin, begin};
    std::size_t i = steps_until(set, first);
    const std::size_t end = steps_until(set, last);
    while (i < end) {
        if (i % kBlock == 0 && i + kBlock <= end) {
            join(all, blocks_[set][i / kBlock]);
            i += kBlock;
        } else {
            const std::uint32_t length = steps_[set][i++].length;
            join(all, {length, length});
        }
    }
    return all;
}

std::vector<std::uint32_t> SetLengths::most_near(std::size_t n) const {
    constexpr std::size_t kNear = 64;
    std::vector<std::uint32_t> most(sets());
    for (std::uint32_t set = 0; set < sets(); ++set) most[set] = within(set, n - std::min(n, kNear), n + kNear).most;
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
        plot.column = kPlotsColumn;
        plot.name = trace::set_in(trace::printable(replay.trace().set_name(set)), metrics.language);
        const std::uint32_t now = last == 0 ? 0 : lengths.at(set, last - 1);
        plot.words = metrics.says("{0}, at most {1}", now, index.set(set).most);
        if (top > its) plot.words += metrics.says(" (top: {0})", top);
        plot.now = std::to_string(now);
        const auto y = [&](std::uint32_t length) {
            return plot.rect.y1 - static_cast<float>(length) / most * (plot.rect.height() - 1);
        };
        for (float x = scale.x0; x < scale.x1; x += kPlotsColumn) {
            const double from = scale.t(x), to = scale.t(std::min(x + kPlotsColumn, scale.x1));
            if (to < 0 || from > static_cast<double>(index.duration())) continue;
            const auto event = [&](double t) {
                return t <= 0 ? std::size_t{0} : replay.index_at_time(static_cast<std::uint64_t>(t));
            };
            const SetLengths::Bounds bounds = lengths.within(set, event(from), event(to));
            plot.columns.push_back({x, y(bounds.least), y(bounds.most)});
        }
        plots.push_back(std::move(plot));
        y0 += kPlot * em;
    }
    return plots;
}

}  // namespace fiberscope::viewer
