#include <algorithm>
#include <cmath>

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

constexpr float kMinimapColumn = 3;  // pixels

}  // namespace

Minimap layout_minimap(const TimelineRequest& request, Rect rect) {
    Minimap out;
    out.rect = rect;
    out.column = kMinimapColumn;
    out.scale = {whole(axis_end(request.index, request.selection)), rect.x0, rect.x1};
    std::size_t before = 0, most = 1;
    std::vector<std::size_t> counts;
    out.x0 = std::max(rect.x0, out.scale.x(0));
    for (float x = out.x0; x < rect.x1; x += kMinimapColumn) {
        const double end = out.scale.t(std::min(x + kMinimapColumn, rect.x1));
        const std::size_t until = request.replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, end)));
        counts.push_back(until - before);
        most = std::max(most, until - before);
        before = until;
    }
    for (const std::size_t count : counts) out.heights.push_back(static_cast<float>(count) / static_cast<float>(most));
    const Selection& selection = request.selection;
    const auto inside = [&](double t) { return std::clamp(out.scale.x(t), rect.x0, rect.x1); };
    out.from = inside(selection.visible.from);
    out.to = inside(selection.visible.to);
    const std::size_t at = selection.playhead;
    out.playhead = inside(selection.moment.value_or(
        at == 0 ? 0 : static_cast<double>(request.replay.trace()[std::min(at, request.replay.size()) - 1].t)));
    return out;
}

}  // namespace fiberscope::viewer
