#include "viewer/layout/tables/region_sentence.h"

#include <algorithm>
#include <cmath>

#include "traces/words/words.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {
namespace {

std::uint64_t whole_ns(double t) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, t))); }

std::string in_groups(std::uint64_t n) { return trace::grouped(static_cast<std::int64_t>(n)); }

std::string percent(double part, double all, Language language) {
    const double value = all > 0 ? 100 * part / all : 0;
    return value > 0 && value < 1 ? say(language, "under 1 %") : say(language, "{0} %", std::lround(value));
}

/// "running 41 µs (39 %), ready 64 µs (61 %)": the states with nonzero time, in the order of the legend.
std::string states_in_words(const trace::Trace& trace, const std::array<double, 8>& in, double all, Language language) {
    std::string words;
    for (const trace::State state : kLegendOrder) {
        const double time = in[static_cast<std::size_t>(state)];
        if (time < 0.5) continue;
        const std::string one = say(language, "{0} {1} ({2})", trace::state_name(trace, state, language),
                                    trace::in_words(whole_ns(time)), percent(time, all, language));
        words += words.empty() ? one : say(language, ", {0}", one);
    }
    return words.empty() ? say(language, "in no state") : words;
}

}  // namespace

std::string region_in_words(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                            Language language) {
    if (!selection.region) return {};
    const Range span = *selection.region;
    const std::string from = exact_time(whole_ns(span.from));
    if (span.span() <= 0) return say(language, "A region begins at {0}. Go to its end and press M.", from);
    const SpanFigures figures = figures_of_span(replay, index, span);
    std::string words = say(language,
                            "Region: {0}, from {1} to {2}: {3} {3:event|events}, {4} {4:switch|switches}, {5} "
                            "{5:wait|waits}; machines {6} busy. ",
                            exact_time(whole_ns(span.span())), from, exact_time(whole_ns(span.to)),
                            in_groups(figures.last - figures.first), in_groups(figures.switches),
                            in_groups(figures.waits), percent(figures.busy, 1, language));
    const trace::Trace& trace = replay.trace();
    if (selection.chosen < index.coroutines()) {
        const Times times = times_of(replay, index, selection.chosen, span);
        double all = times.idle;
        for (const double time : times.in) all += time;
        const std::string idle =
            times.idle > 0.5 ? say(language, ", idle {0}", trace::in_words(whole_ns(times.idle))) : "";
        words += say(language, "{0}: {1}{2}; resumed {3} {3:time|times}.", trace.name(times.co),
                     states_in_words(trace, times.in, all, language), idle, in_groups(times.resumes));
    } else {
        double all = 0;
        for (const double time : figures.in) all += time;
        words += say(language, "All tasks: {0}.", states_in_words(trace, figures.in, all, language));
    }
    return words + say(language, "  (R: zoom to it, Esc: clear it)");
}

const std::string& RegionWords::of(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                                   Language language) {
    const auto same = [](const std::optional<Range>& a, const std::optional<Range>& b) {
        return a.has_value() == b.has_value() && (!a || (a->from == b->from && a->to == b->to));
    };
    if (same(region_, selection.region) && chosen_ == selection.chosen && language_ == language) return words_;
    region_ = selection.region;
    chosen_ = selection.chosen;
    language_ = language;
    words_ = region_in_words(replay, index, selection, language);
    ++counted_;
    return words_;
}

}  // namespace fiberscope::viewer
