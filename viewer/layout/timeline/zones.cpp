#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

using trace::State;
using Stretch = trace::Replay::Stretch;

/// Stretches looked at to estimate how much of a merged zone was spent running.
constexpr std::size_t kSamples = 48;
/// A merged zone ends after so many pixels, so that along the lane one sees how busy it was when.
constexpr float kWidestMerged = 8;

Rect inside(const Lane& lane, float x0, float x1) {
    const float gap = std::max(1.0F, lane.rect.height() * 0.08F);
    return {std::max(x0, lane.rect.x0), lane.rect.y0 + gap, std::min(x1, lane.rect.x1), lane.rect.y1 - gap};
}

/// A lane as a row of spans; coroutines and machines differ only in where these come from.
/// Spans has: size(), from(i), to(i) in ns, ascending.
template <class Spans>
std::size_t first_ending_after(const Spans& spans, std::size_t begin, double t) {
    std::size_t low = begin, high = spans.size();
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
    std::size_t i = first_ending_after(spans, 0, scale.range.from);
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
            i = std::max(i + 1, first_ending_after(spans, i, edge));
        }
        if (i - first == 1)
            one(first);
        else
            several(first, i);
    }
}

struct CoroutineSpans {
    std::span<const Stretch> all;

    std::size_t size() const noexcept { return all.size(); }
    double from(std::size_t i) const noexcept { return static_cast<double>(all[i].from); }
    double to(std::size_t i) const noexcept { return static_cast<double>(all[i].to); }

    float running_share(std::size_t first, std::size_t last) const noexcept {
        const std::size_t step = std::max<std::size_t>(1, (last - first) / kSamples) | 1;  // odd: two by two would lie
        double sum = 0, running = 0;
        for (std::size_t i = first; i < last; i += step) {
            const double length = to(i) - from(i);
            sum += length;
            if (all[i].state == State::running) running += length;
        }
        return sum > 0 ? static_cast<float>(running / sum) : 0.0F;
    }
};

struct MachineSpans {
    const trace::Trace& trace;
    std::span<const std::uint32_t> runs;
    double end;

    std::size_t size() const noexcept { return runs.size(); }
    double from(std::size_t i) const noexcept { return static_cast<double>(trace[runs[i]].t); }
    double to(std::size_t i) const noexcept { return i + 1 < runs.size() ? from(i + 1) : end; }
};

}  // namespace

void add_coroutine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                         std::vector<Zone>& zones) {
    const CoroutineSpans spans{request.replay.stretches(lane.id)};
    const auto zone = [&](std::size_t first, std::size_t last) {
        Zone out;
        out.from = spans.from(first);
        out.to = spans.to(last - 1);
        out.rect = inside(lane, scale.x(out.from), scale.x(out.to));
        out.state = spans.all[first].state;
        out.co = lane.id;
        out.event = spans.all[first].event;
        return out;
    };
    const auto one = [&](std::size_t i) {
        Zone out = zone(i, i + 1);
        const Look& state_look = look(out.state, Theme::dark);
        if (request.index.machines() > 1 && out.state == State::running)
            out.text = fitting_whole(request.metrics, out.rect.width(),
                                     std::string(state_look.letter) + " " + std::to_string(spans.all[i].machine));
        if (out.text.empty()) out.text = fitting_whole(request.metrics, out.rect.width(), state_look.letter);
        zones.push_back(std::move(out));
    };
    const auto several = [&](std::size_t first, std::size_t last) {
        Zone out = zone(first, last);
        out.merged = static_cast<std::uint32_t>(last - first);
        out.running_share = spans.running_share(first, last);
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
        Zone out = zone(i, i + 1);
        out.text = fitting_name(request.metrics, out.rect.width(), trace.name(out.co));
        zones.push_back(std::move(out));
    };
    const auto several = [&](std::size_t first, std::size_t last) {
        Zone out = zone(first, last);
        out.merged = static_cast<std::uint32_t>(last - first);
        out.running_share = 1;
        zones.push_back(std::move(out));
    };
    walk(spans, scale, one, several);
}

}  // namespace fiberscope::viewer
