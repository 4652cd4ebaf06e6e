#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

class LegendRow {
  public:
    LegendRow(const Canvas& canvas, Rect r) : canvas_(canvas), r_(r), x_(r.x0) {}

    /// A sign, drawn by `sign` into a square, and its word; left out if there is no room for it.
    void add(std::string_view word, const auto& sign) {
        const float em = canvas_.style().em, side = 1.15F * em;
        const float width = side + 0.35F * em + canvas_.text_width(word);
        if (x_ + width > r_.x1) return;
        const float y = r_.middle_y() - side / 2;
        sign(Rect{x_, y, x_ + side, y + side});
        canvas_.text({x_ + side + 0.35F * em, canvas_.text_y(r_)}, word, canvas_.style().colors().text);
        x_ += width + 1.0F * em;
    }

  private:
    const Canvas& canvas_;
    Rect r_;
    float x_;
};

}  // namespace

void draw_legend(const Scene& scene, Rect area) {
    const Rect r = begin_panel("legend", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    LegendRow row(canvas, r);
    for (const trace::State state : kLegendOrder)
        if (scene.index.uses(state))
            row.add(look(state, scene.style.theme).word, [&](Rect sign) { canvas.chip(sign, state); });
    row.add("switch", [&](Rect sign) {
        const float x = sign.middle_x(), size = 0.28F * scene.style.em;
        canvas.line({x, sign.y0}, {x, sign.y1}, colors.arrow);
        canvas.list()->AddTriangleFilled({x, sign.y1}, {x - size, sign.y1 - 1.7F * size},
                                         {x + size, sign.y1 - 1.7F * size}, packed(colors.arrow));
    });
    row.add("playhead", [&](Rect sign) {
        canvas.fill({sign.middle_x() - 1, sign.y0, sign.middle_x() + 1, sign.y1}, colors.playhead);
    });
    row.add("several: zoom in", [&](Rect sign) {
        canvas.fill(sign, colors.mixed);
        canvas.fill({sign.x0, sign.middle_y(), sign.x1, sign.y1}, look(trace::State::running, scene.style.theme).fill);
    });
    end_panel();
}

}  // namespace fiberscope::viewer
