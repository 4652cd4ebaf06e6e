#include "viewer/panels/sets/set_drawing.h"

#include <algorithm>
#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {

void draw_centred(const Canvas& canvas, Rect r, const std::string& text, Color color, const ImFont* font) {
    canvas.text({r.middle_x() - canvas.text_width(text, font) / 2, canvas.text_y(r, font)}, text, color, font);
}

void draw_dashes(const Canvas& canvas, Point a, Point b, Color color, float thickness) {
    const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
    const float dash = 0.35F * canvas.style().em;
    for (float at = 0; at < length; at += 2 * dash) {
        const float end = std::min(length, at + dash);
        canvas.line({a.x + dx * at / length, a.y + dy * at / length},
                    {a.x + dx * end / length, a.y + dy * end / length}, color, thickness);
    }
}

void draw_dashed_frame(const Canvas& canvas, Rect r, Color color, float thickness) {
    draw_dashes(canvas, {r.x0, r.y0}, {r.x1, r.y0}, color, thickness);
    draw_dashes(canvas, {r.x1, r.y0}, {r.x1, r.y1}, color, thickness);
    draw_dashes(canvas, {r.x1, r.y1}, {r.x0, r.y1}, color, thickness);
    draw_dashes(canvas, {r.x0, r.y1}, {r.x0, r.y0}, color, thickness);
}

void draw_hand(const Canvas& canvas, Point middle, Point tip, Color color, float thickness) {
    canvas.line(middle, tip, color, thickness);
    draw_tip(canvas, middle, tip, color);
    canvas.list()->AddCircleFilled({middle.x, middle.y}, 1.2F * thickness, packed(color), 12);
}

namespace {

/// The name of a set and its description.
void draw_set_title(const Canvas& canvas, Rect r, const std::string& name, const std::string& words) {
    const Style& style = canvas.style();
    const float y = canvas.text_y(r);
    const float width = canvas.text({r.x0, y}, name, style.colors().text, style.fonts.bold, r.width());
    canvas.text({r.x0 + width + 0.6F * style.em, y}, words, style.colors().dim, nullptr,
                r.width() - width - 0.6F * style.em);
}

/// Red nodes are round and black ones square, so that they can be distinguished without colour.
float rounding_of(const Canvas& canvas, const SetBox& box) {
    return box.color == trace::Color::red ? std::min(kRound * canvas.style().em, box.rect.height() / 2) : 0;
}

void draw_box(const Canvas& canvas, const SetBox& box, bool chosen) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const Rect& r = box.rect;
    Color ink = colors.text;
    if (box.ghost) {
        draw_dashed_frame(canvas, r, colors.playhead, 2);
        return draw_centred(canvas, r, box.name, colors.dim);
    }
    if (box.in_hand) {
        canvas.fill(r, colors.panel);
        draw_dashed_frame(canvas, r, colors.text, 2);
    } else if (box.color != trace::Color::none || box.loose) {
        draw_node_shape(canvas, r, box.color);
        ink = colors.node_ink;
    } else if (box.co == trace::kNone) {
        canvas.fill(r, colors.control);
    } else {
        canvas.fill_state(r, box.state);
        ink = look(box.state, style.theme).ink;
    }
    if (!box.in_hand)
        canvas.list()->AddRect({r.x0, r.y0}, {r.x1, r.y1},
                               packed(box.now  ? colors.playhead
                                      : chosen ? colors.chosen
                                               : colors.line),
                               rounding_of(canvas, box), 0,
                               box.now  ? 3.5F
                               : chosen ? 2.0F
                                        : 1.0F);
    const float line = box.key.empty() ? r.height() : r.height() / 2, left = box.chip.empty() ? r.x0 : box.chip.x1;
    if (!box.chip.empty()) canvas.chip(box.chip, box.state);
    draw_centred(canvas, {left, r.y0, r.x1, r.y0 + line}, box.name, ink);
    if (!box.key.empty()) draw_centred(canvas, {left, r.y0 + line, r.x1, r.y1 - 1}, box.key, ink);
    if (!box.below.empty()) draw_centred(canvas, box.below_rect, box.below, colors.text);
}

/// The effect of a rotation: former and later positions of nodes and links.
void draw_ghosts(const Canvas& canvas, const SetView& tree) {
    const Palette& colors = canvas.style().colors();
    for (const auto& [from, to] : tree.before) draw_dashes(canvas, from, to, colors.dim, 1.5F);
    for (const auto& [from, to] : tree.after) draw_dashes(canvas, from, to, colors.playhead, 2);
    for (const SetGhost& ghost : tree.ghosts) {
        draw_dashed_frame(canvas, ghost.rect, ghost.after ? colors.playhead : colors.dim, ghost.after ? 2.0F : 1.5F);
        draw_centred(canvas, ghost.rect, ghost.word, colors.dim);
    }
}

void draw_dials(const Canvas& canvas, const SetView& wheel) {
    const Palette& colors = canvas.style().colors();
    const Dial &ring = wheel.ring, &whole = wheel.whole;
    const Color hand = wheel.hand_now ? colors.playhead : colors.text;
    for (const WheelSlot& slot : wheel.slots) {
        canvas.line(slot.dot, slot.knee, colors.line);
        canvas.line(slot.knee, slot.edge, colors.line);
        draw_centred(canvas, slot.number_rect, slot.number, colors.dim);
        draw_centred(canvas, slot.more_rect, slot.more, colors.text);
    }
    canvas.list()->AddCircle({ring.middle.x, ring.middle.y}, ring.radius, packed(colors.dim), 96, 2);
    for (const DialMark& mark : wheel.marks)
        canvas.line(mark.from, mark.to, colors.dim, mark.text.empty() ? 1.0F : 2.0F);
    if (ring.before) draw_dashes(canvas, ring.middle, *ring.before, colors.dim, 2);
    draw_hand(canvas, ring.middle, ring.hand, hand, wheel.hand_now ? 3.5F : 2.5F);
    for (const DialMark& mark : wheel.marks) {
        if (mark.text.empty()) continue;
        canvas.fill(mark.text_rect, colors.panel);
        draw_centred(canvas, mark.text_rect, mark.text, colors.dim);
    }
    for (const Point dot : ring.dots)
        canvas.list()->AddCircleFilled({dot.x, dot.y}, 0.25F * canvas.style().em, packed(colors.text), 12);
    if (whole.radius <= 0) return;
    canvas.list()->AddCircleFilled({whole.middle.x, whole.middle.y}, 1.15F * whole.radius, packed(colors.panel), 48);
    canvas.list()->AddCircle({whole.middle.x, whole.middle.y}, whole.radius, packed(colors.dim), 48, 1.5F);
    canvas.line(whole.middle, whole.hand, hand, 2);
    for (const Point dot : whole.dots) canvas.list()->AddCircleFilled({dot.x, dot.y}, 2.5F, packed(colors.text), 8);
}

void draw_row_end(const Canvas& canvas, const SetView& row) {
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    if (row.left) {
        if (row.left->ghost)
            draw_dashed_frame(canvas, row.left->rect, colors.playhead, 2);
        else
            canvas.frame(row.left->rect, colors.playhead, 2);
        draw_centred(canvas, row.left->rect, row.left->name, colors.text);
    }
    if (!row.head.empty()) {
        canvas.text({row.head.x0, canvas.text_y(row.head)}, canvas.style().says("head"), colors.dim);
        const float x = row.head.x1 - 0.25F * em, y = row.head.middle_y(), size = 0.3F * em;
        canvas.list()->AddTriangleFilled({x, y}, {x - size, y - size}, {x - size, y + size}, packed(colors.dim));
    } else if (row.boxes.empty() && row.declared) {
        const float x = row.left ? row.left->rect.x1 + 0.4F * em : row.title.x1;
        const std::string empty = canvas.style().says("empty");
        if (x + canvas.text_width(empty) <= row.rect.x1) canvas.text({x, canvas.text_y(row.title)}, empty, colors.dim);
    }
}

/// A removed link: thick, with a gap in the middle and a cross in it that is visible from the last row of a classroom.
void draw_cut(const Canvas& canvas, Point a, Point b) {
    const Style& style = canvas.style();
    const Color color = style.colors().playhead;
    const float em = style.em, thickness = 0.2F * em, size = 0.38F * em;
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    canvas.line(a, b, color, thickness);
    canvas.list()->AddCircleFilled({middle.x, middle.y}, 1.5F * size, packed(style.colors().panel), 24);
    canvas.line({middle.x - size, middle.y - size}, {middle.x + size, middle.y + size}, color, thickness);
    canvas.line({middle.x - size, middle.y + size}, {middle.x + size, middle.y - size}, color, thickness);
}

}  // namespace

void draw_set_line(const Canvas& canvas, const SetLine& line) {
    if (line.way == LinkWay::cut) return draw_cut(canvas, line.from, line.to);
    const Palette& colors = canvas.style().colors();
    const Color color = line.now ? colors.playhead : colors.arrow;
    const float thickness = line.now ? 3.5F : 1.5F;
    if (line.way == LinkWay::up)
        draw_dashes(canvas, line.from, line.to, color, thickness);
    else
        canvas.line(line.from, line.to, color, thickness);
    if (line.way == LinkWay::down || line.way == LinkWay::root) draw_tip(canvas, line.from, line.to, color);
    if (line.way == LinkWay::up || line.way == LinkWay::raised) draw_tip(canvas, line.to, line.from, color);
}

void draw_node_shape(const Canvas& canvas, Rect r, trace::Color color) {
    const Palette& colors = canvas.style().colors();
    const bool red = color == trace::Color::red;
    const float rounding = red ? std::min(kRound * canvas.style().em, r.height() / 2) : 0;
    const Color fill = red ? colors.node_red : color == trace::Color::black ? colors.node_black : colors.mixed;
    canvas.fill(r, fill, rounding);
    canvas.list()->AddRect({r.x0, r.y0}, {r.x1, r.y1}, packed(colors.dim), rounding);
}

void draw_set(const Canvas& canvas, const SetView& view, bool queue, Selection& selection) {
    const Palette& colors = canvas.style().colors();
    const auto pointed = [](const Rect& r) {
        return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1});
    };
    draw_set_title(canvas, view.title, view.name, view.words);
    if (queue) draw_row_end(canvas, view);
    draw_ghosts(canvas, view);
    if (view.ring.radius > 0) draw_dials(canvas, view);
    for (const SetLine& line : view.lines) draw_set_line(canvas, line);
    std::int64_t both = -1;  // the place of a heap under the mouse, in its tree or array
    for (const auto* boxes : {&view.boxes, &view.cells})
        for (const SetBox& box : *boxes)
            if (pointed(box.rect)) {
                if (!view.cells.empty()) both = box.place;
                if (box.co != trace::kNone && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) selection.chosen = box.co;
                ImGui::SetTooltip("%s", box.detail.c_str());
            }
    for (const auto* boxes : {&view.boxes, &view.cells})
        for (const SetBox& box : *boxes)
            draw_box(canvas, box, (box.co != trace::kNone && box.co == selection.chosen) || box.place == both);
    // Links changed by the event at the playhead are drawn on top.
    for (const SetLine& line : view.lines)
        if (line.now) draw_set_line(canvas, line);
    if (!view.more.empty()) canvas.text({view.more_rect.x0, canvas.text_y(view.more_rect)}, view.more, colors.text);
}

}  // namespace fiberscope::viewer
