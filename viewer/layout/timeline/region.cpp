#include "viewer/layout/timeline/region.h"

#include <algorithm>
#include <cmath>

namespace fiberscope::viewer {

double snapped(const TimelineRequest& request, const Timeline& timeline, Point p, float reach) noexcept {
    const double end = static_cast<double>(axis_end(request.index, request.selection));
    const double t = std::clamp(timeline.scale.t(p.x), 0.0, end);
    double best = t, distance = static_cast<double>(reach) * timeline.scale.ns_per_px();
    const auto look = [&](double at) {
        if (std::abs(at - t) >= distance) return;
        distance = std::abs(at - t);
        best = at;
    };
    for (const Zone& zone : timeline.zones) {
        if (zone.merged || p.y < zone.rect.y0 || p.y >= zone.rect.y1) continue;
        look(zone.from);
        look(zone.to);
    }
    if (best != t) return best;
    const std::size_t after = request.replay.index_at_time(static_cast<std::uint64_t>(t));
    const trace::Trace& trace = request.replay.trace();
    if (after > 0) look(static_cast<double>(trace[after - 1].t));
    if (after < trace.size()) look(static_cast<double>(trace[after].t));
    return best;
}

}  // namespace fiberscope::viewer
