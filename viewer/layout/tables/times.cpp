#include "viewer/layout/tables/times.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

using trace::State;
using Stretch = trace::Replay::Stretch;
static_assert(trace::kWords<State>.size() == std::tuple_size_v<decltype(Times::in)>);

bool rests(State state) noexcept { return state == State::sleeping || state == State::waiting; }

/// ns from the deadline of the sleep `all[i]` until its coroutine ran again; kAbsent if it has no deadline or never ran
/// again.
std::int64_t overshoot_after(const trace::Trace& trace, const trace::Stretches& all, std::size_t i) {
    const trace::Event& e = trace[all[i].event];
    if (all[i].state != State::sleeping || e.kind != trace::Kind::switch_ || e.x == trace::kAbsent || e.x < 0)
        return trace::kAbsent;
    while (++i < all.size())
        if (all[i].state == State::running) break;
    if (i >= all.size()) return trace::kAbsent;
    const auto late = static_cast<std::int64_t>(all[i].from) - e.x;
    return late < 0 ? trace::kAbsent : late;
}

bool is_task(const trace::Trace& trace, const TraceIndex& index, std::uint32_t co) {
    const std::uint32_t spawn = index.spawn(co);
    return spawn != trace::kNone && trace[spawn].first<trace::CoKind>() == trace::CoKind::task;
}

}  // namespace

Times times_of(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co, Range span) {
    Times out;
    out.co = co;
    const auto all = replay.stretches(co);
    const auto first = std::partition_point(all.begin(), all.end(),
                                            [&](const Stretch& s) { return static_cast<double>(s.to) < span.from; });
    for (auto i = static_cast<std::size_t>(first - all.begin()); i < all.size(); ++i) {
        const Stretch& s = all[i];
        const double begin = static_cast<double>(s.from), end = static_cast<double>(s.to);
        if (begin > span.to) break;
        const double from = std::max(begin, span.from), to = std::min(end, span.to);
        const bool runs = s.state == State::running;
        const double idle = runs && s.machine < index.machines() ? index.idle().share(s.machine, from, to) : 0;
        out.in[static_cast<std::size_t>(s.state)] += to - from - idle;
        out.idle += idle;
        if (begin < span.from) continue;
        // A thread runs from its beginning; that is not a resume.
        out.resumes += runs && replay.trace().kind(s.event) == trace::Kind::switch_ ? 1U : 0U;
        out.waits += rests(s.state) ? 1U : 0U;
        const std::int64_t late = overshoot_after(replay.trace(), all, i);
        if (late == trace::kAbsent) continue;
        out.slept = true;
        out.overshoot = std::max(out.overshoot, static_cast<std::uint64_t>(late));
    }
    return out;
}

std::vector<Times> times_of_all(const trace::Replay& replay, const TraceIndex& index, Range span) {
    std::vector<Times> all;
    for (std::uint32_t co = 0; co < index.coroutines(); ++co) all.push_back(times_of(replay, index, co, span));
    return all;
}

SpanFigures figures_of_span(const trace::Replay& replay, const TraceIndex& index, Range span) {
    SpanFigures out;
    out.span = span;
    const trace::Trace& trace = replay.trace();
    out.first = span.from <= 0 ? 0 : replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, span.from - 1)));
    out.last = replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, span.to)));
    const auto switches = index.switches();
    out.switches = static_cast<std::uint64_t>(std::lower_bound(switches.begin(), switches.end(), out.last) -
                                              std::lower_bound(switches.begin(), switches.end(), out.first));
    for (const Times& times : times_of_all(replay, index, span)) {
        if (!is_task(trace, index, times.co)) continue;
        out.waits += times.waits;
        for (std::size_t i = 0; i < out.in.size(); ++i) out.in[i] += times.in[i];
    }
    double idle = 0;
    for (std::uint32_t m = 0; m < index.machines(); ++m) idle += index.idle().share(m, span.from, span.to);
    const double whole = span.span() * index.machines();
    out.busy = whole > 0 ? 1 - idle / whole : 0;
    return out;
}

Range span_of(const TraceIndex& index, const Selection& selection) noexcept {
    if (selection.region && selection.region->span() > 0) return *selection.region;
    return {0, static_cast<double>(index.duration())};
}

}  // namespace fiberscope::viewer
