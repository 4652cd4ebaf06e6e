#include "viewer/panels/panels.h"
#include "viewer/panels/sets/set_drawing.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {
namespace {

void draw_switch(const Canvas& canvas, Rect sign) {
    const Palette& colors = canvas.style().colors();
    const float x = sign.middle_x(), size = 0.28F * canvas.style().em;
    canvas.line({x, sign.y0}, {x, sign.y1}, colors.arrow);
    canvas.list()->AddTriangleFilled({x, sign.y1}, {x - size, sign.y1 - 1.7F * size}, {x + size, sign.y1 - 1.7F * size},
                                     packed(colors.arrow));
}

void draw_sign_of(const Canvas& canvas, Rect r, const LegendItem& item) {
    const Style& style = canvas.style();
    const Point middle{r.middle_x(), r.middle_y()};
    switch (item.sign) {
    case LegendSign::state: return canvas.chip(r, item.state);
    case LegendSign::copy_out: return draw_sign(canvas, middle, 0.5F * style.em, MarkKind::copy_out);
    case LegendSign::copy_in: return draw_sign(canvas, middle, 0.5F * style.em, MarkKind::copy_in);
    case LegendSign::idle: return canvas.chip(r, look(item.idle, style.theme));
    case LegendSign::note: return draw_sign(canvas, middle, 0.45F * style.em, MarkKind::note);
    case LegendSign::fault: return draw_sign(canvas, middle, 0.45F * style.em, MarkKind::fault);
    case LegendSign::access: return draw_sign(canvas, middle, 0.45F * style.em, MarkKind::access);
    case LegendSign::hazard: return draw_sign(canvas, middle, 0.45F * style.em, MarkKind::hazard);
    case LegendSign::lock_wait: return draw_sign(canvas, middle, 0.5F * style.em, MarkKind::lock_wait);
    case LegendSign::steal: return draw_steal(canvas, {middle.x, r.y0}, {middle.x, r.y1}, "", false);
    case LegendSign::red_node: return draw_node_shape(canvas, r, trace::Color::red);
    case LegendSign::black_node: return draw_node_shape(canvas, r, trace::Color::black);
    case LegendSign::in_hand: return draw_dashed_frame(canvas, r.shrunk(1), style.colors().text, 2);
    case LegendSign::hand:
        return draw_hand(canvas, {r.x0 + 0.2F * style.em, r.y1 - 0.2F * style.em}, {r.x1, r.y0}, style.colors().text,
                         2);
    case LegendSign::switch_: return draw_switch(canvas, r);
    case LegendSign::playhead:
        return canvas.fill({r.middle_x() - 1, r.y0, r.middle_x() + 1, r.y1}, style.colors().playhead);
    case LegendSign::several: {
        Zone bucket;
        bucket.rect = r;
        for (const trace::State state : {trace::State::running, trace::State::ready, trace::State::sleeping})
            bucket.shares[LaneTimes::of(state)] = 1.0F / 3;
        for (const ShareBar& bar : share_bars(bucket, style.theme)) canvas.fill(bar.rect, bar.look->fill);
    }
    }
}

}  // namespace

void draw_legend(const Scene& scene, Rect area, const Legend& legend, bool shares) {
    const Rect r = begin_panel("legend", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const float em = scene.style.em, top = r.middle_y() - legend.height / 2;
    for (const LegendItem& item : legend.items) {
        if (item.sign == LegendSign::several && !shares) continue;  // its place is kept, so that the others do not move
        const Rect sign{r.x0 + item.place.x0, top + item.place.y0, r.x0 + item.place.x1, top + item.place.y1};
        draw_sign_of(canvas, sign, item);
        canvas.text({sign.x1 + 0.35F * em, canvas.text_y(sign)}, item.word, scene.style.colors().text, nullptr,
                    r.x1 - sign.x1);
    }
    end_panel();
}

}  // namespace fiberscope::viewer
