#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

using trace::State;

/// Stretches looked at to estimate how much of a merged zone was spent running: in so many places, and there so many
/// one after the other, which lie beside each other in memory.
constexpr std::size_t kPlaces = 8, kTogether = 6;
/// A merged zone ends after so many pixels, so that along the lane one sees how busy it was when.
constexpr float kWidestMerged = 8;

Rect inside(const Lane& lane, float x0, float x1) {
    const float gap = std::max(1.0F, lane.rect.height() * 0.08F);
    return {std::max(x0, lane.rect.x0), lane.rect.y0 + gap, std::min(x1, lane.rect.x1), lane.rect.y1 - gap};
}

/// A lane as a row of spans; coroutines and machines differ only in where these come from.
/// Spans has: size(), from(i), to(i) in ns, ascending.
template <class Spans>
std::size_t first_ending_after(const Spans& spans, std::size_t begin, double t, std::size_t step = 1) {
    std::size_t low = begin, high = spans.size();
    for (; low + step <= high; step *= 2) {  // it is mostly near, `step` away: so is what is looked at
        const std::size_t probe = low + step - 1;
        if (spans.to(probe) > t) {
            high = probe;
            break;
        }
        low = probe + 1;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (spans.to(middle) > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// Walks over the visible spans: calls one(i) for each that is wide enough and several(first, last) for a run of thin
/// ones [first, last). Costs at most a search for every kThinnest pixels.
template <class Spans, class One, class Several>
void walk(const Spans& spans, const TimeScale& scale, One one, Several several) {
    const double thin = scale.ns_per_px() * static_cast<double>(kThinnest);
    const auto wide = [&](std::size_t i) { return spans.to(i) - spans.from(i) >= thin; };
    std::size_t i = first_ending_after(spans, 0, scale.range.from), step = 1;
    while (i < spans.size() && spans.from(i) <= scale.range.to) {
        if (wide(i)) {
            one(i++);
            continue;
        }
        const std::size_t first = i;
        const double last = spans.from(first) + scale.ns_per_px() * static_cast<double>(kWidestMerged);
        while (i < spans.size() && spans.from(i) <= std::min(last, scale.range.to) && !wide(i)) {
            // Everything that begins and ends within the next pixels is thin: jump over it.
            const double edge = spans.from(i) + thin;
            const std::size_t next = std::max(i + 1, first_ending_after(spans, i, edge, step));
            step = std::max<std::size_t>(1, (next - i) / 2);
            i = next;
        }
        if (i - first == 1)
            one(first);
        else
            several(first, i);
    }
}

struct CoroutineSpans {
    trace::Stretches all;

    std::size_t size() const noexcept { return all.size(); }
    double from(std::size_t i) const noexcept { return static_cast<double>(all.from(i)); }
    double to(std::size_t i) const noexcept { return static_cast<double>(all.to(i)); }

    float running_share(const trace::IdleTime& idle, std::size_t first, std::size_t last) const noexcept {
        double sum = 0, running = 0;
        const auto add = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const trace::Stretch stretch = all[i];
                const double begins = static_cast<double>(stretch.from), ends = static_cast<double>(stretch.to);
                sum += ends - begins;
                if (stretch.state == State::running)
                    running += ends - begins - idle.share(stretch.machine, begins, ends);
            }
        };
        if (last - first <= kPlaces * kTogether)
            add(first, last);
        else
            for (std::size_t n = 0; n < kPlaces; ++n) {
                const std::size_t begin = first + n * (last - first - kTogether) / (kPlaces - 1);
                add(begin, begin + kTogether);
            }
        return sum > 0 ? static_cast<float>(running / sum) : 0.0F;
    }
};

struct MachineSpans {
    const trace::Trace& trace;
    std::span<const std::uint32_t> runs;
    double end;

    std::size_t size() const noexcept { return runs.size(); }
    double from(std::size_t i) const noexcept { return static_cast<double>(trace.time(runs[i])); }
    double to(std::size_t i) const noexcept { return i + 1 < runs.size() ? from(i + 1) : end; }
};

/// A stretch in which a machine runs, in pieces: 2j is what lies before idle span j, 2j + 1 the span itself, the last
/// one the rest.
struct Pieces {
    std::span<const trace::IdleSpan> idle;
    double begin, end;

    std::size_t size() const noexcept { return 2 * idle.size() + 1; }
    static bool rests(std::size_t i) noexcept { return i % 2 != 0; }
    double from(std::size_t i) const noexcept {
        if (i == 0) return begin;
        const trace::IdleSpan& span = idle[(i - 1) / 2];
        return rests(i) ? std::max(begin, static_cast<double>(span.from)) : std::min(end, static_cast<double>(span.to));
    }
    double to(std::size_t i) const noexcept { return i + 1 < size() ? from(i + 1) : end; }
};

/// The part of [from, to] in which machine m was idle.
float idle_part(const trace::IdleTime& idle, std::uint32_t m, double from, double to) noexcept {
    return to > from ? static_cast<float>(idle.share(m, from, to) / (to - from)) : 0.0F;
}

/// How machine m is idle if it is so all the time from `from` to `to`; else none.
trace::Idle idle_throughout(const trace::IdleTime& idle, std::uint32_t m, double from, double to) noexcept {
    const auto spans = idle.within(m, from, to);
    if (spans.size() != 1 || from < static_cast<double>(spans[0].from) || to > static_cast<double>(spans[0].to))
        return trace::Idle::none;
    return spans[0].kind;
}

/// "O spins", "O", or nothing.
std::string idle_text(const Metrics& metrics, const Zone& zone) {
    const Look& its = look(zone.idle, Theme::dark);
    const std::string letter(its.letter);
    return first_fitting(metrics, zone.rect.width() - 0.3F * metrics.em,
                         {letter + " " + metrics.says(its.word), letter, ""});
}

/// Several stretches through all of which a machine is idle are one zone.
void add_idle(const Metrics& metrics, Zone zone, trace::Idle idle, std::vector<Zone>& zones) {
    zone.idle = idle;
    if (!zones.empty()) {
        const Zone& last = zones.back();
        const bool goes_on =
            last.on_machine && last.idle == idle && last.to == zone.from && last.rect.y0 == zone.rect.y0;
        if (goes_on) {
            zone.from = last.from;
            zone.event = last.event;
            zone.rect.x0 = last.rect.x0;
            zones.pop_back();
        }
    }
    zone.text = idle_text(metrics, zone);
    zones.push_back(std::move(zone));
}

/// Puts `whole`, in which machine m runs, into `zones`; in pieces where the machine is idle in the meantime. `text_of`
/// says what stands in a zone.
template <class Text>
void add_running(const TimelineRequest& request, const TimeScale& scale, const Lane& lane, std::uint32_t m,
                 const Zone& whole, Text text_of, std::vector<Zone>& zones) {
    const trace::IdleTime& idle = request.index.idle();
    const Pieces pieces{idle.within(m, whole.from, whole.to), whole.from, whole.to};
    const auto zone = [&](double from, double to) {
        Zone out = whole;
        out.from = from;
        out.to = to;
        out.rect = inside(lane, scale.x(from), scale.x(to));
        return out;
    };
    const auto one = [&](std::size_t i) {
        if (pieces.to(i) <= pieces.from(i) && pieces.size() > 1) return;
        Zone out = zone(pieces.from(i), pieces.to(i));
        if (Pieces::rests(i)) {
            out.idle = pieces.idle[i / 2].kind;
            out.event = pieces.idle[i / 2].begin;
        }
        out.text = text_of(out);
        zones.push_back(std::move(out));
    };
    const auto several = [&](std::size_t first, std::size_t last) {
        Zone out = zone(pieces.from(first), pieces.to(last - 1));
        if (out.to <= out.from) return;
        out.merged = static_cast<std::uint32_t>(last - first);
        out.running_share = 1 - idle_part(idle, m, out.from, out.to);
        zones.push_back(std::move(out));
    };
    walk(pieces, scale, one, several);
}

}  // namespace

void add_coroutine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                         std::vector<Zone>& zones) {
    const CoroutineSpans spans{request.replay.stretches(lane.id)};
    const auto zone = [&](std::size_t first, std::size_t last) {
        Zone out;
        out.from = spans.from(first);
        out.to = spans.to(last - 1);
        out.rect = inside(lane, scale.x(out.from), scale.x(out.to));
        const trace::Stretch stretch = spans.all[first];
        out.state = stretch.state;
        out.co = lane.id;
        out.event = stretch.event;
        return out;
    };
    const auto one = [&](std::size_t i) {
        Zone out = zone(i, i + 1);
        const std::uint32_t machine = spans.all[i].machine;
        const auto text_of = [&](const Zone& z) {
            const std::string letter(look(z.state, z.idle, Theme::dark).letter);
            const std::string numbered = letter + " " + std::to_string(machine);
            const bool several = request.index.machines() > 1 && z.state == State::running;
            return first_fitting(request.metrics, z.rect.width() - 0.3F * request.metrics.em,
                                 {several ? numbered : letter, letter, ""});
        };
        if (out.state == State::running) return add_running(request, scale, lane, machine, out, text_of, zones);
        out.text = text_of(out);
        zones.push_back(std::move(out));
    };
    const auto several = [&](std::size_t first, std::size_t last) {
        Zone out = zone(first, last);
        out.merged = static_cast<std::uint32_t>(last - first);
        out.running_share = spans.running_share(request.index.idle(), first, last);
        zones.push_back(std::move(out));
    };
    walk(spans, scale, one, several);
}

void add_machine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                       std::vector<Zone>& zones) {
    const trace::Trace& trace = request.replay.trace();
    const MachineSpans spans{trace, request.index.runs(lane.id), static_cast<double>(request.index.duration())};
    const auto zone = [&](std::size_t first, std::size_t last) {
        Zone out;
        out.from = spans.from(first);
        out.to = spans.to(last - 1);
        out.rect = inside(lane, scale.x(out.from), scale.x(out.to));
        out.on_machine = true;
        out.state = State::running;
        out.co = runs_after(trace[spans.runs[first]]);
        out.event = spans.runs[first];
        return out;
    };
    const auto one = [&](std::size_t i) {
        const auto text_of = [&](const Zone& z) {
            if (z.idle == trace::Idle::none)
                return fitting_lane_name(request.metrics, z.rect.width(), trace.name(z.co));
            return idle_text(request.metrics, z);
        };
        add_running(request, scale, lane, lane.id, zone(i, i + 1), text_of, zones);
    };
    const auto several = [&](std::size_t first, std::size_t last) {
        Zone out = zone(first, last);
        const trace::Idle idle = idle_throughout(request.index.idle(), lane.id, out.from, out.to);
        if (idle != trace::Idle::none) return add_idle(request.metrics, out, idle, zones);
        out.merged = static_cast<std::uint32_t>(last - first);
        out.running_share = 1 - idle_part(request.index.idle(), lane.id, out.from, out.to);
        zones.push_back(std::move(out));
    };
    walk(spans, scale, one, several);
}

}  // namespace fiberscope::viewer
