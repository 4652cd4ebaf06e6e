#include "viewer/layout/tables/histogram.h"

#include <algorithm>

#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kHistogramLine = 1.25F, kMostBar = 3.6F;  // em
constexpr std::size_t kBins = 40;                         // up to 5 * 10^12 ns and beyond

bool is_task(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co) {
    const std::uint32_t spawn = index.spawn(co);
    return spawn != trace::kNone && replay.trace()[spawn].first<trace::CoKind>() == trace::CoKind::task;
}

std::size_t bin_of(std::uint64_t ns) noexcept {
    std::size_t bin = 0;
    while (bin + 1 < kBins && bin_edge(bin + 1) <= ns) ++bin;
    return bin;
}

std::string title_of(trace::State state, std::vector<std::uint64_t>& all, Language language) {
    const bool ready = state == trace::State::ready;
    if (all.empty())
        return say(language, ready ? mark("Ready, each time: never") : mark("Runs without a break: never"));
    std::sort(all.begin(), all.end());
    return say(language,
               ready ? mark("Ready, each time: {0} times, half at most {1}, the longest {2}")
                     : mark("Runs without a break: {0} times, half at most {1}, the longest {2}"),
               trace::grouped(static_cast<std::int64_t>(all.size())), trace::in_words(all[(all.size() - 1) / 2]),
               trace::in_words(all.back()));
}

}  // namespace

std::uint64_t bin_edge(std::size_t n) noexcept {
    std::uint64_t edge = 1;
    for (std::size_t i = 0; i < n / 3; ++i) edge *= 10;
    return edge * (n % 3 == 0 ? 1U : n % 3 == 1 ? 2U : 5U);
}

Histogram histogram_of(const trace::Replay& replay, const TraceIndex& index, trace::State state, Range span,
                       Language language) {
    std::vector<std::uint64_t> all;
    for (std::uint32_t co = 0; co < index.coroutines(); ++co) {
        if (!is_task(replay, index, co)) continue;
        for (const trace::Replay::Stretch& s : replay.stretches(co)) {
            const auto from = static_cast<double>(s.from), to = static_cast<double>(s.to);
            if (s.state != state || !span.contains(from)) continue;
            if (s.machine < index.machines() && index.idle().share(s.machine, from, to) > 0) continue;
            all.push_back(s.to - s.from);
        }
    }
    Histogram out;
    out.title = title_of(state, all, language);
    out.all = all.size();
    if (all.empty()) return out;
    out.first = bin_of(all.front());
    out.counts.assign(bin_of(all.back()) - out.first + 1, 0);
    for (const std::uint64_t ns : all) ++out.counts[bin_of(ns) - out.first];
    return out;
}

HistogramView layout_histogram(const Histogram& histogram, Rect area, const Metrics& metrics) {
    const float em = metrics.em;
    HistogramView out;
    out.title = {area.x0, area.y0, area.x1, area.y0 + 2 * kHistogramLine * em};
    out.heading = wrapped(metrics, area.width(), area.width(), histogram.title, 2);
    out.base = area.y1 - kHistogramLine * em;
    if (histogram.counts.empty()) return out;
    const std::size_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
    const float top = out.title.y1 + kHistogramLine * em, height = std::max(1.0F, out.base - top);
    const float each = std::min(kMostBar * em, area.width() / static_cast<float>(histogram.counts.size()));
    float free = area.x0;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const std::size_t count = histogram.counts[i], bin = histogram.first + i;
        const float x = area.x0 + each * static_cast<float>(i);
        const float share = static_cast<float>(count) / static_cast<float>(most);
        HistogramBar bar;
        bar.rect = {x + 0.05F * each, out.base - std::max(count > 0 ? 1.0F : 0.0F, share * height), x + 0.95F * each,
                    out.base};
        const std::string from = trace::in_words(bin_edge(bin));
        if (count > 0) bar.count = fitting_whole(metrics, each + 0.6F * em, std::to_string(count));
        if (x >= free && x + metrics.width(from) <= area.x1) {
            bar.label = from;
            free = x + metrics.width(from) + 0.5F * em;
        }
        bar.words = metrics.says("{0} {0:time|times} from {1} to below {2}", count, bin == 0 ? "0 ns" : from,
                                 trace::in_words(bin_edge(bin + 1)));
        out.bars.push_back(std::move(bar));
    }
    return out;
}

}  // namespace fiberscope::viewer
