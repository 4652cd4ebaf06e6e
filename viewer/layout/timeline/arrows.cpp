#include <algorithm>

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

/// Switches looked at in one column of pixels to find how far its merged arrow reaches.
constexpr std::size_t kLookedAt = 16;
/// Events of the chosen coroutine within kThinnest pixels that are still drawn one by one.
constexpr std::size_t kFew = 4;

bool names(const trace::Event& event, std::uint32_t co) noexcept { return event.co == co || event.other == co; }

class ArrowMaker {
  public:
    ArrowMaker(const TimelineRequest& request, const Timeline& timeline) : request_(request), timeline_(timeline) {}

    /// Nothing where one of its two has no lane, or both have the same.
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

    /// One line over all lanes that the switches `events` touch; of very many, some are looked at.
    std::optional<Arrow> several(std::span<const std::uint32_t> events) const {
        std::optional<Arrow> arrow;
        float low = 0, high = 0;
        const std::size_t step = std::max<std::size_t>(1, events.size() / kLookedAt);
        for (std::size_t i = 0; i < events.size(); i += step) {
            const std::optional<Arrow> other = one(events[i]);
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

/// The chosen coroutine's own switches are drawn one by one where a few fall together, not where very many do.
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
        add(next - i == 1 ? make.one(switches[i]) : make.several(switches.subspan(i, next - i)), arrows);
        i = next;
    }
    add_arrows_of_chosen(request, timeline, make, arrows);
    // The switch at the playhead is always drawn by itself.
    const std::size_t now = request.selection.playhead;
    if (now > 0 && trace[now - 1].kind == trace::Kind::switch_)
        add(make.one(static_cast<std::uint32_t>(now - 1)), arrows);
    return arrows;
}

std::vector<Steal> layout_steals(const TimelineRequest& request, const Timeline& timeline) {
    const trace::Trace& trace = request.replay.trace();
    std::vector<Steal> steals;
    const auto events = request.index.steals();
    for (std::size_t i = first_from(trace, events, timeline.scale.range.from); i < events.size(); ++i) {
        const trace::Event& e = trace[events[i]];
        const auto t = static_cast<double>(e.t);
        if (t > timeline.scale.range.to) break;
        const float x = timeline.scale.x(t);
        const bool now = events[i] + std::size_t{1} == request.selection.playhead;
        const bool gives = e.first<trace::MachineOp>() == trace::MachineOp::give;
        const auto victim = machine_middle(timeline, e.other);
        const auto thief = machine_middle(timeline, gives ? static_cast<std::uint32_t>(e.y) : e.m);
        if (!victim || !thief) continue;
        if (!now && !steals.empty() && x < steals.back().x + kThinnest) continue;
        steals.push_back({x, *victim, *thief, events[i],
                          gives                   ? "P"
                          : e.x == trace::kAbsent ? std::string()
                                                  : std::to_string(e.x),
                          now});
    }
    return steals;
}

}  // namespace fiberscope::viewer
