// Drawing of the lane of differences below an axis, and their shading of the lanes.
#include <algorithm>

#include "viewer/panels/timeline_panel.h"

namespace fiberscope::viewer {

void draw_differences(const Canvas& canvas, const DifferenceLane& lane) {
    if (lane.rect.empty()) return;
    const Palette& colors = canvas.style().colors();
    const ImFont* bold = canvas.style().fonts.bold;
    canvas.fill({lane.names.x0, lane.rect.y0, lane.rect.x1, lane.rect.y1}, colors.control);
    canvas.text({lane.names.x0 + 0.25F * canvas.style().em, canvas.text_y(lane.names)}, lane.name, colors.text, bold,
                lane.names.width());
    canvas.list()->PushClipRect({lane.rect.x0, lane.rect.y0}, {lane.rect.x1, lane.rect.y1}, true);
    for (const DifferenceBar& bar : lane.bars) {
        canvas.fill({bar.rect.x0, bar.rect.y0 + 1, std::max(bar.rect.x1 - 1, bar.rect.x0 + 2), bar.rect.y1 - 1},
                    bar.chosen ? colors.playhead : colors.changed.with_alpha(150));
    }
    for (const DifferenceBar& bar : lane.bars) {
        if (bar.sign.empty()) continue;
        canvas.fill(bar.sign.shrunk(1), bar.chosen ? colors.playhead : colors.text, 0.15F * canvas.style().em);
        canvas.text_in(bar.sign, "≠", colors.panel, bold);
    }
    canvas.list()->PopClipRect();
}

void shade_differences(const Canvas& canvas, const DifferenceLane& lane, Rect below) {
    const Palette& colors = canvas.style().colors();
    for (const DifferenceBar& bar : lane.bars)
        canvas.fill({bar.rect.x0, below.y0, bar.rect.x1, below.y1},
                    (bar.chosen ? colors.playhead : colors.changed).with_alpha(bar.chosen ? 90 : 60));
}

}  // namespace fiberscope::viewer
