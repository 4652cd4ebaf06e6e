#include <algorithm>
#include <cmath>

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

constexpr float kMinimapColumn = 3;     // pixels
constexpr std::size_t kTimesUsual = 3;  // multiple of the usual count at which a column is cut

/// Number of events of a column of full height: the maximum, unless that is far above the 90th percentile of the
/// nonempty columns.
std::size_t highest_of(std::vector<std::size_t> counts) {
    std::erase(counts, std::size_t{0});
    if (counts.empty()) return 1;
    std::sort(counts.begin(), counts.end());
    return std::min(counts.back(), kTimesUsual * counts[(counts.size() - 1) * 9 / 10]);
}

}  // namespace

Minimap layout_minimap(const TimelineRequest& request, Rect rect) {
    Minimap out;
    out.rect = rect;
    out.column = kMinimapColumn;
    out.scale = {whole(axis_end(request.index, request.selection)), rect.x0, rect.x1};
    std::size_t before = 0;
    std::vector<std::size_t> counts;
    out.x0 = std::max(rect.x0, out.scale.x(0));
    for (float x = out.x0; x < rect.x1; x += kMinimapColumn) {
        const double end = out.scale.t(std::min(x + kMinimapColumn, rect.x1));
        const std::size_t until = request.replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, end)));
        counts.push_back(until - before);
        before = until;
    }
    const auto highest = static_cast<float>(highest_of(counts));
    for (const std::size_t count : counts) out.heights.push_back(static_cast<float>(count) / highest);
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
