#include "viewer/panels/signs.h"

#include <algorithm>
#include <cmath>

namespace fiberscope::viewer {
namespace {

void draw_diamond(const Canvas& canvas, Point at, float size, Color fill, Color line) {
    ImDrawList* list = canvas.list();
    list->AddQuadFilled({at.x, at.y - size}, {at.x + size, at.y}, {at.x, at.y + size}, {at.x - size, at.y},
                        packed(fill));
    list->AddQuad({at.x, at.y - size}, {at.x + size, at.y}, {at.x, at.y + size}, {at.x - size, at.y}, packed(line),
                  1.5F);
}

void draw_triangle(const Canvas& canvas, Point at, float size, Color fill, Color line) {
    const ImVec2 a{at.x, at.y - size}, b{at.x + 1.1F * size, at.y + 0.9F * size},
        c{at.x - 1.1F * size, at.y + 0.9F * size};
    canvas.list()->AddTriangleFilled(a, b, c, packed(fill));
    canvas.list()->AddTriangle(a, b, c, packed(line), 1.5F);
}

/// A vertical arrow at x, with a head of `wing` pixels to each side.
void draw_arrow(const Canvas& canvas, float x, float top, float bottom, float wing, bool up) {
    const Color ink = canvas.style().colors().text;
    canvas.line({x, top + 1}, {x, bottom - 1}, ink, std::max(1.0F, 0.4F * wing));
    const float tip = up ? top - 1 : bottom + 1, back = up ? top + wing : bottom - wing;
    canvas.list()->AddTriangleFilled({x, tip}, {x - wing, back}, {x + wing, back}, packed(ink));
}

/// A box with an arrow: up from the line below it (out of the stack), or down to it (back in).
void draw_copy(const Canvas& canvas, Point at, float size, MarkKind kind) {
    const Palette& colors = canvas.style().colors();
    const Rect key{at.x - size, at.y - size, at.x + size, at.y + size};
    canvas.fill(key, colors.panel);
    canvas.frame(key, colors.text);
    const float top = at.y - 0.72F * size, bottom = at.y + 0.45F * size, floor = at.y + 0.74F * size;
    canvas.line({at.x - 0.65F * size, floor}, {at.x + 0.65F * size, floor}, colors.text, std::max(1.0F, 0.22F * size));
    draw_arrow(canvas, at.x, top, bottom, 0.55F * size, kind == MarkKind::copy_out);
}

void draw_hazard(const Canvas& canvas, Point at, float size) {
    const Palette& colors = canvas.style().colors();
    const float large = 1.25F * size;
    draw_triangle(canvas, at, large, colors.hazard, colors.hazard_text);
    const float half = std::max(0.75F, 0.12F * large);
    canvas.fill({at.x - half, at.y - 0.3F * large, at.x + half, at.y + 0.35F * large}, colors.hazard_text);
    canvas.fill({at.x - half, at.y + 0.48F * large, at.x + half, at.y + 0.48F * large + 2 * half}, colors.hazard_text);
}

/// A closed padlock.
void draw_lock(const Canvas& canvas, Point at, float size) {
    const Palette& colors = canvas.style().colors();
    const Rect body{at.x - 0.8F * size, at.y - 0.1F * size, at.x + 0.8F * size, at.y + size};
    canvas.list()->PathArcTo({at.x, at.y - 0.1F * size}, 0.5F * size, 3.14159F, 2 * 3.14159F, 10);
    canvas.list()->PathStroke(packed(colors.panel), 0, 0.55F * size);
    canvas.list()->PathArcTo({at.x, at.y - 0.1F * size}, 0.5F * size, 3.14159F, 2 * 3.14159F, 10);
    canvas.list()->PathStroke(packed(colors.text), 0, std::max(1.5F, 0.25F * size));
    canvas.fill(body, colors.text, 0.15F * size);
    canvas.frame(body, colors.panel);
}

}  // namespace

void draw_sign(const Canvas& canvas, Point at, float size, MarkKind kind) {
    const Palette& colors = canvas.style().colors();
    switch (kind) {
    case MarkKind::note: return draw_diamond(canvas, at, size, colors.panel, colors.text);
    case MarkKind::fault: return draw_diamond(canvas, at, size, colors.warning_text, colors.warning);
    case MarkKind::lock_wait: return draw_lock(canvas, at, size);
    case MarkKind::access: return draw_triangle(canvas, at, 0.8F * size, colors.panel, colors.text);
    case MarkKind::hazard: return draw_hazard(canvas, at, size);
    default: return draw_copy(canvas, at, size, kind);
    }
}

void draw_pin(const Canvas& canvas, Rect r, Color color) {
    const float x = std::round(r.middle_x()), y = r.middle_y(), size = std::min(canvas.style().em, r.height()) / 4;
    canvas.fill({x - size, y - 1.8F * size, x + size, y - 1.2F * size}, color);
    canvas.fill({x - 0.6F * size, y - 1.2F * size, x + 0.6F * size, y}, color);
    canvas.fill({x - 1.3F * size, y, x + 1.3F * size, y + 0.5F * size}, color);
    canvas.line({x, y + 0.5F * size}, {x, y + 1.8F * size}, color, 1.5F);
}

void draw_tip(const Canvas& canvas, Point a, Point b, Color color) {
    const float dx = b.x - a.x, dy = b.y - a.y, length = std::max(1.0F, std::sqrt(dx * dx + dy * dy));
    const float x = dx / length, y = dy / length, size = 0.5F * canvas.style().em;
    const Point back{b.x - x * size, b.y - y * size};
    canvas.list()->AddTriangleFilled({b.x, b.y}, {back.x - y * size / 2, back.y + x * size / 2},
                                     {back.x + y * size / 2, back.y - x * size / 2}, packed(color));
}

void draw_steal(const Canvas& canvas, Point victim, Point thief, const std::string& count, bool now, bool several) {
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em, ring = 0.25F * em;
    const Color color = now ? colors.playhead : colors.arrow;
    const ImFont* bold = canvas.style().fonts.bold;
    canvas.line(victim, thief, colors.panel, 0.4F * em);
    canvas.line(victim, thief, color, 0.2F * em);
    if (!several) {
        canvas.list()->AddCircleFilled({victim.x, victim.y}, ring, packed(colors.panel), 12);
        canvas.list()->AddCircle({victim.x, victim.y}, ring, packed(color), 12, 0.15F * em);
        draw_tip(canvas, victim, thief, color);
    }
    if (count.empty()) return;
    const float width = canvas.text_width(count, bold) + 0.4F * em, y = (victim.y + thief.y) / 2;
    const float beside = victim.x - width - 0.35F * em;
    const bool fits = beside >= canvas.list()->GetClipRectMin().x;
    const float x = fits ? beside : victim.x + 0.35F * em;
    const Rect label{x, y - 0.55F * em, x + width, y + 0.55F * em};
    canvas.fill(label, colors.panel, 0.2F * em);
    canvas.text_in(label, count, colors.text, bold);
}

void draw_count(const Canvas& canvas, Rect r, MarkKind worst, const std::string& count) {
    const Palette& colors = canvas.style().colors();
    const bool hazard = worst == MarkKind::hazard, plain = !hazard && worst != MarkKind::fault;
    const Color ground = plain    ? colors.panel
                         : hazard ? colors.hazard
                                  : colors.warning,
                ink = plain    ? colors.text
                      : hazard ? colors.hazard_text
                               : colors.warning_text;
    canvas.fill(r, ground, 0.3F * canvas.style().em);
    canvas.frame(r, ink);
    if (r.height() >= 0.8F * canvas.style().em) canvas.text_in(r, count, ink);
}

void draw_mark(const Canvas& canvas, const Mark& mark, float lane_height) {
    if (mark.count > 1) {
        const float half = std::min(0.55F * canvas.style().em, lane_height / 2);
        return draw_count(canvas, {mark.at.x - mark.size, mark.at.y - half, mark.at.x + mark.size, mark.at.y + half},
                          mark.kind, mark.text);
    }
    if (!mark.text.empty()) {
        const float em = canvas.style().em, width = canvas.text_width(mark.text) + 0.4F * em;
        const float half = std::max(mark.size, 0.5F * em);
        const Rect label{mark.at.x - mark.size - width, mark.at.y - half, mark.at.x - mark.size, mark.at.y + half};
        canvas.fill(label, canvas.style().colors().panel);
        canvas.text_in(label, mark.text, canvas.style().colors().text);
    }
    draw_sign(canvas, mark.at, mark.size, mark.kind);
}

}  // namespace fiberscope::viewer
