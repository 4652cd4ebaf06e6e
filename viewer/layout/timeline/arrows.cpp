#include <algorithm>

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

/// More switches than this in one column of pixels are not drawn: their line would span all lanes everywhere.
constexpr std::size_t kMostMerged = 16;
/// Number of events of the chosen coroutine within kThinnest pixels that are still drawn individually.
constexpr std::size_t kFew = 4;

bool names(const trace::Event& event, std::uint32_t co) noexcept { return event.co == co || event.other == co; }

class ArrowMaker {
  public:
    ArrowMaker(const TimelineRequest& request, const Timeline& timeline) : request_(request), timeline_(timeline) {}

    /// Nothing if either end has no lane or both have the same.
    std::optional<Arrow> one(std::uint32_t n) const {
        const trace::Event& event = request_.replay.trace()[n];
        const auto from = lane_middle(timeline_, event.co), to = lane_middle(timeline_, event.other);
        if (!from || !to || (*from == *to && event.co != event.other)) return std::nullopt;
        Arrow arrow;
        arrow.x = timeline_.scale.x(static_cast<double>(event.t));
        arrow.y0 = *from;
        arrow.y1 = *to;
        arrow.event = n;
        arrow.of_chosen = names(event, request_.selection.chosen);
        arrow.at_playhead = n + 1 == request_.selection.playhead;
        return arrow;
    }

    /// One line across all lanes that the switches `events` touch.
    std::optional<Arrow> several(std::span<const std::uint32_t> events) const {
        std::optional<Arrow> arrow;
        float low = 0, high = 0;
        for (const std::uint32_t n : events) {
            const std::optional<Arrow> other = one(n);
            if (!other) continue;
            const bool of_chosen = other->of_chosen || (arrow && arrow->of_chosen);
            low = std::min({arrow ? low : other->y0, other->y0, other->y1});
            high = std::max({arrow ? high : other->y0, other->y0, other->y1});
            if (!arrow) arrow = other;
            arrow->of_chosen = of_chosen;
        }
        if (!arrow) return arrow;
        const auto x = [&](std::uint32_t n) {
            return timeline_.scale.x(static_cast<double>(request_.replay.trace()[n].t));
        };
        arrow->merged = true;
        arrow->at_playhead = false;
        arrow->x = (x(events.front()) + x(events.back())) / 2;
        arrow->y0 = low;
        arrow->y1 = high;
        return arrow;
    }

  private:
    const TimelineRequest& request_;
    const Timeline& timeline_;
};

void add(const std::optional<Arrow>& arrow, std::vector<Arrow>& arrows) {
    if (arrow) arrows.push_back(*arrow);
}

/// The chosen coroutine's own switches are drawn individually if few coincide, not if very many do.
void add_arrows_of_chosen(const TimelineRequest& request, const Timeline& timeline, const ArrowMaker& make,
                          std::vector<Arrow>& arrows) {
    if (request.selection.chosen >= request.replay.coroutines()) return;
    const trace::Trace& trace = request.replay.trace();
    const auto events = request.replay.events_of(request.selection.chosen);
    const double thin = timeline.scale.ns_per_px() * static_cast<double>(kThinnest);
    std::size_t i = first_from(trace, events, timeline.scale.range.from);
    while (i < events.size()) {
        const double t = static_cast<double>(trace.time(events[i]));
        if (t > timeline.scale.range.to) break;
        const std::size_t next = i + std::max<std::size_t>(1, first_from(trace, events.subspan(i), t + thin));
        if (next - i <= kFew)
            for (const std::uint32_t n : events.subspan(i, next - i))
                if (trace[n].kind == trace::Kind::switch_) add(make.one(n), arrows);
        i = next;
    }
}

}  // namespace

std::vector<Arrow> layout_arrows(const TimelineRequest& request, const Timeline& timeline) {
    const trace::Trace& trace = request.replay.trace();
    const auto switches = request.index.switches();
    const TimeScale& scale = timeline.scale;
    const ArrowMaker make(request, timeline);
    std::vector<Arrow> arrows;
    std::size_t i = first_from(trace, switches, scale.range.from);
    const double column = scale.ns_per_px() * static_cast<double>(kThinnest);
    while (i < switches.size()) {
        const double t = static_cast<double>(trace.time(switches[i]));
        if (t > scale.range.to) break;
        const std::size_t next = i + std::max<std::size_t>(1, first_from(trace, switches.subspan(i), t + column));
        if (next - i == 1) add(make.one(switches[i]), arrows);
        if (next - i > 1 && next - i <= kMostMerged) add(make.several(switches.subspan(i, next - i)), arrows);
        i = next;
    }
    add_arrows_of_chosen(request, timeline, make, arrows);
    // The switch at the playhead is always drawn individually.
    const std::size_t now = request.selection.playhead;
    if (now > 0 && trace[now - 1].kind == trace::Kind::switch_)
        add(make.one(static_cast<std::uint32_t>(now - 1)), arrows);
    return arrows;
}

namespace {

/// Lanes and count; nothing if a lane is missing.
std::optional<Steal> steal_of(const TimelineRequest& request, const Timeline& timeline, std::uint32_t n) {
    const trace::Event& e = request.replay.trace()[n];
    const bool gives = e.first<trace::MachineOp>() == trace::MachineOp::give;
    const auto victim = machine_middle(timeline, e.other);
    const auto thief = machine_middle(timeline, gives ? static_cast<std::uint32_t>(e.y) : e.m);
    if (!victim || !thief) return std::nullopt;
    return Steal{timeline.scale.x(static_cast<double>(e.t)),
                 *victim,
                 *thief,
                 n,
                 gives                   ? "P"
                 : e.x == trace::kAbsent ? std::string()
                                         : std::to_string(e.x),
                 n + std::size_t{1} == request.selection.playhead};
}

}  // namespace

std::vector<Steal> layout_steals(const TimelineRequest& request, const Timeline& timeline) {
    const float em = request.metrics.em;
    std::vector<Steal> steals;
    const auto events = request.index.steals();
    const auto words = [&](std::size_t count) {  // for handed-over Ps, only the count
        return request.index.has_gives() ? std::to_string(count) : request.metrics.says("{0} {0:steal|steals}", count);
    };
    const auto room = [&](std::size_t count) { return 2 * request.metrics.width(words(count)); };
    for (const Together& part : fall_together(request.replay.trace(), events, timeline.scale, 0.6F * em, room)) {
        std::optional<Steal> all;
        float low = 0, high = 0, last = 0;
        for (std::size_t i = part.first; i < part.last; ++i) {
            const std::optional<Steal> one = steal_of(request, timeline, events[i]);
            if (!one) continue;
            if (!all) low = high = one->y0;
            low = std::min({low, one->y0, one->y1});
            high = std::max({high, one->y0, one->y1});
            last = one->x;
            if (!all) all = one;
            if (one->at_playhead && part.last - part.first > 1) steals.push_back(*one);
        }
        if (!all) continue;
        if (part.last - part.first > 1)
            all = Steal{(all->x + last) / 2, low, high, all->event, words(part.last - part.first), false, true};
        steals.push_back(std::move(*all));
    }
    return steals;
}

}  // namespace fiberscope::viewer
