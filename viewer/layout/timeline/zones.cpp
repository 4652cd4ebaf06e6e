#include <algorithm>
#include <cmath>

#include "traces/read/printable.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

using trace::State;

Rect inside(const Lane& lane, float x0, float x1) {
    const float gap = std::max(1.0F, lane.rect.height() * 0.08F);
    return {std::max(x0, lane.rect.x0), lane.rect.y0 + gap, std::min(x1, lane.rect.x1), lane.rect.y1 - gap};
}

/// Stretches shorter than this are thin, ns.
double thin_span(const TimeScale& scale) noexcept { return scale.ns_per_px() * static_cast<double>(kThinnest); }

/// A lane as a row of spans, those of a coroutine or of a machine.
/// Spans has: size(), from(i), to(i) in ns, ascending.
template <class Spans>
std::size_t first_ending_after(const Spans& spans, std::size_t begin, double t, std::size_t step = 1) {
    std::size_t low = begin, high = spans.size();
    for (; low + step <= high; step *= 2) {  // usually within `step`, and so are the accessed elements
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

struct CoroutineSpans {
    trace::Stretches all;

    std::size_t size() const noexcept { return all.size(); }
    double from(std::size_t i) const noexcept { return static_cast<double>(all.from(i)); }
    double to(std::size_t i) const noexcept { return static_cast<double>(all.to(i)); }
};

struct MachineSpans {
    const trace::Trace& trace;
    std::span<const std::uint32_t> runs;
    double end;

    std::size_t size() const noexcept { return runs.size(); }
    double from(std::size_t i) const noexcept { return static_cast<double>(trace.time(runs[i])); }
    double to(std::size_t i) const noexcept { return i + 1 < runs.size() ? from(i + 1) : end; }
};

/// Splits a stretch in which a machine runs: element 2j is the part before idle span j, 2j + 1 the span itself, the
/// last one the rest.
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

/// "O spins", "O", or empty.
std::string idle_text(const Metrics& metrics, const Zone& zone) {
    const Look& its = look(zone.idle, Theme::dark);
    const std::string letter(its.letter);
    return first_fitting(metrics, zone.rect.width() - 0.3F * metrics.em,
                         {letter + " " + metrics.says(its.word), letter, ""});
}

/// For a coroutine with recorded frames, the innermost one at the beginning of the zone: " visit+7", " visit:17"; else
/// empty.
std::string frame_text(const TimelineRequest& request, const Zone& zone) {
    const trace::Trace& trace = request.replay.trace();
    const std::uint32_t spawn = zone.co < request.index.coroutines() ? request.index.spawn(zone.co) : trace::kNone;
    if (spawn == trace::kNone) return {};
    const auto backend = trace[spawn].second<trace::Backend>();
    if (backend != trace::Backend::interpreter && backend != trace::Backend::stackless) return {};
    if (zone.state == State::dead) return {};
    const auto events = request.replay.events_of(zone.co);
    for (auto at = std::upper_bound(events.begin(), events.end(), zone.event); at != events.begin(); --at) {
        const trace::Event& event = trace[*(at - 1)];
        if (event.kind != trace::Kind::frame) continue;
        const std::string frames = trace::printable(trace.text(event.text));
        return " " + frames.substr(0, frames.find_first_of(" ;"));
    }
    return {};
}

/// Collects the zones of one lane, from left to right. Zones do not extend into buckets that are drawn by their shares.
class LaneZones {
  public:
    LaneZones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane, std::vector<Zone>& zones)
        : request_(request),
          scale_(scale),
          lane_(lane),
          clock_(lane.machine ? LaneClock::of_machine(request.replay, request.index, lane.id)
                              : LaneClock::of_coroutine(request.replay, request.index, lane.id)),
          zones_(zones),
          first_(zones.size()),
          bucket_(bucket_span(scale)) {}

    /// Adds one stretch; `zone` has its times and contents.
    void one(Zone zone) {
        if (zone.from < covered_ && zone.to <= covered_) return;
        zone.rect = inside(lane_, scale_.x(std::max(zone.from, covered_)), scale_.x(zone.to));
        const double thin = thin_span(scale_), length = zone.to - zone.from;
        Zone* last = this->last();
        if (last != nullptr && goes_on(*last, zone)) {
            last->to = std::max(last->to, zone.to);
            last->rect.x1 = zone.rect.x1;
            return;
        }
        const bool beside = last != nullptr && !last->merged && last->to == zone.from && last->to - last->from < thin;
        if (beside && length > 0 && length < thin) {  // two adjacent stretches, each thin and alone in its bucket
            for (double t = last->from; t < zone.to;) t = crowd(t);
            return;
        }
        zones_.push_back(std::move(zone));
    }
    /// Adds the bucket that contains t, drawn in proportion to its shares; returns its end.
    double crowd(double t) {
        const double from = std::floor(t / bucket_) * bucket_, to = from + bucket_;
        if (from < covered_) return covered_;
        while (last() != nullptr && last()->from >= from) zones_.pop_back();
        if (last() != nullptr) last()->rect.x1 = std::min(last()->rect.x1, scale_.x(from));
        covered_ = to;
        Zone zone;
        zone.from = std::max(from, clock_.begin());
        zone.to = std::min(to, static_cast<double>(request_.index.duration()));
        if (zone.to <= zone.from) return to;
        zone.rect = inside(lane_, scale_.x(zone.from), scale_.x(zone.to));
        zone.on_machine = lane_.machine;
        zone.state = State::running;
        if (!lane_.machine) zone.co = lane_.id;
        zone.merged = true;
        const LaneTimes times = clock_.within(zone.from, zone.to);
        for (std::size_t i = 0; i < zone.shares.size(); ++i)
            zone.shares[i] = static_cast<float>(times.ns[i] / (zone.to - zone.from));
        rest(zone);
        Zone* before = last();
        if (before != nullptr && goes_on(*before, zone))
            before->rect.x1 = zone.rect.x1;
        else
            zones_.push_back(std::move(zone));
        return to;
    }
    /// Sets the texts that fit into the zones.
    void write() {
        const Metrics& metrics = request_.metrics;
        for (std::size_t i = first_; i < zones_.size(); ++i) {
            Zone& zone = zones_[i];
            if (zone.merged) continue;
            if (zone.on_machine) {
                zone.text = zone.idle != trace::Idle::none
                                ? idle_text(metrics, zone)
                                : fitting_lane_name(metrics, zone.rect.width(), request_.replay.trace().name(zone.co));
                continue;
            }
            const std::string letter(look(zone.state, zone.idle, Theme::dark).letter);
            const bool numbered = zone.machine != trace::kNone && request_.index.machines() > 1;
            const std::string state = numbered ? letter + " " + std::to_string(zone.machine) : letter;
            zone.text = first_fitting(metrics, zone.rect.width() - 0.3F * metrics.em,
                                      {state + frame_text(request_, zone), state, letter, ""});
        }
    }

  private:
    Zone* last() noexcept { return zones_.size() > first_ ? &zones_.back() : nullptr; }
    /// Merges an idle span across several runs of its machine into one zone.
    static bool goes_on(const Zone& last, const Zone& zone) noexcept {
        return zone.idle != trace::Idle::none && last.idle == zone.idle && last.event == zone.event &&
               last.rect.x1 >= zone.rect.x0 - 0.5F;
    }
    /// A bucket in which the machine is idle throughout becomes part of the idle span.
    void rest(Zone& zone) const {
        if (!lane_.machine) return;
        const auto spans = request_.index.idle().within(lane_.id, zone.from, zone.to);
        if (spans.size() != 1 || zone.from < static_cast<double>(spans[0].from) ||
            zone.to > static_cast<double>(spans[0].to))
            return;
        zone.merged = false;
        zone.idle = spans[0].kind;
        zone.event = spans[0].begin;
        zone.from = static_cast<double>(spans[0].from);
        zone.to = static_cast<double>(spans[0].to);
    }

    const TimelineRequest& request_;
    const TimeScale& scale_;
    const Lane& lane_;
    LaneClock clock_;
    std::vector<Zone>& zones_;
    std::size_t first_;
    double bucket_, covered_ = -1;  // ns
};

/// Iterates over the visible spans: calls one(i) for each that is wide enough or is the only thin one between two wide
/// ones, and adds buckets for adjacent thin ones. The result depends on the spans and on ns per pixel, not on where the
/// view begins, so that panning does not flicker. At most one search per kThinnest pixels.
template <class Spans, class One>
void walk(const Spans& spans, const TimeScale& scale, LaneZones& zones, One one) {
    const double thinnest = thin_span(scale), bucket = bucket_span(scale);
    const double end = std::ceil(scale.range.to / bucket) * bucket;
    double until = std::floor(scale.range.from / bucket) * bucket;
    const auto thin = [&](std::size_t i) { return spans.to(i) - spans.from(i) < thinnest; };
    std::size_t i = first_ending_after(spans, 0, until), step = 1;
    while (i < spans.size() && spans.from(i) <= end) {
        const bool crowded = thin(i) && ((i > 0 && thin(i - 1)) || (i + 1 < spans.size() && thin(i + 1)));
        if (!crowded) {
            one(i++);
            continue;
        }
        until = zones.crowd(std::max(until, spans.from(i)));
        const std::size_t next = first_ending_after(spans, i, until, step);
        step = std::max<std::size_t>(1, (next - i) / 2);
        i = next;
    }
}

/// Adds `whole`, in which machine m runs, to `zones`, split where the machine is idle.
void add_running(const TimelineRequest& request, const TimeScale& scale, std::uint32_t m, const Zone& whole,
                 LaneZones& zones) {
    const Pieces pieces{request.index.idle().within(m, whole.from, whole.to), whole.from, whole.to};
    const auto one = [&](std::size_t i) {
        if (pieces.to(i) <= pieces.from(i) && pieces.size() > 1) return;
        Zone out = whole;
        out.from = pieces.from(i);
        out.to = pieces.to(i);
        if (Pieces::rests(i)) {
            out.idle = pieces.idle[i / 2].kind;
            out.event = pieces.idle[i / 2].begin;
        }
        zones.one(std::move(out));
    };
    walk(pieces, scale, zones, one);
}

}  // namespace

std::vector<ShareBar> share_bars(const Zone& bucket, Theme theme) {
    std::vector<ShareBar> bars;
    const auto add = [&](float share, const Look& its) {
        const float y1 = bars.empty() ? bucket.rect.y1 : bars.back().rect.y0;
        if (share > 0)
            bars.push_back({{bucket.rect.x0, y1 - bucket.rect.height() * share, bucket.rect.x1, y1}, &its, share});
    };
    for (const State state : kLegendOrder) add(bucket.shares[LaneTimes::of(state)], look(state, theme));
    for (const trace::Idle idle : kIdleOrder) add(bucket.shares[LaneTimes::of(idle)], look(idle, theme));
    return bars;
}

std::string share_words(const Zone& bucket, Language language) {
    std::string words;
    for (const ShareBar& bar : share_bars(bucket, Theme::dark)) {
        const std::string part =
            say(language, "{0} {1} %", say(language, bar.look->word), std::lround(100 * bar.share));
        words += words.empty() ? part : say(language, ", {0}", part);
    }
    return words;
}

double bucket_span(const TimeScale& scale) noexcept {
    constexpr double kLeastBucket = 4;            // pixels; the maximum is twice that
    const double least = 1e-15 * scale.range.to;  // resolution of such late times
    return std::exp2(std::ceil(std::log2(std::max(least, kLeastBucket * scale.ns_per_px()))));
}

void add_coroutine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                         std::vector<Zone>& zones) {
    const CoroutineSpans spans{request.replay.stretches(lane.id)};
    LaneZones out(request, scale, lane, zones);
    const auto one = [&](std::size_t i) {
        const trace::Stretch stretch = spans.all[i];
        Zone zone;
        zone.from = spans.from(i);
        zone.to = spans.to(i);
        zone.state = stretch.state;
        zone.co = lane.id;
        zone.event = stretch.event;
        zone.machine = stretch.machine;
        if (zone.state == State::running) return add_running(request, scale, stretch.machine, zone, out);
        out.one(std::move(zone));
    };
    walk(spans, scale, out, one);
    out.write();
}

void add_machine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                       std::vector<Zone>& zones) {
    const trace::Trace& trace = request.replay.trace();
    const MachineSpans spans{trace, request.index.runs(lane.id), static_cast<double>(request.index.duration())};
    LaneZones out(request, scale, lane, zones);
    const auto one = [&](std::size_t i) {
        Zone zone;
        zone.from = spans.from(i);
        zone.to = spans.to(i);
        zone.on_machine = true;
        zone.state = State::running;
        zone.co = runs_after(trace[spans.runs[i]]);
        zone.event = spans.runs[i];
        add_running(request, scale, lane.id, zone, out);
    };
    walk(spans, scale, out, one);
    out.write();
}

}  // namespace fiberscope::viewer
