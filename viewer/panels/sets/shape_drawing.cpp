#include "viewer/panels/sets/shape_drawing.h"

#include <cmath>

#include "viewer/panels/signs.h"

namespace fiberscope::viewer {

void draw_centred(const Canvas& canvas, Rect r, const std::string& text, Color color, const ImFont* font) {
    canvas.text({r.middle_x() - canvas.text_width(text, font) / 2, canvas.text_y(r, font)}, text, color, font);
}

void draw_set_title(const Canvas& canvas, Rect r, const std::string& name, const std::string& words) {
    const Style& style = canvas.style();
    const float y = canvas.text_y(r);
    const float width = canvas.text({r.x0, y}, name, style.colors().text, style.fonts.bold, r.width());
    canvas.text({r.x0 + width + 0.6F * style.em, y}, words, style.colors().dim, nullptr,
                r.width() - width - 0.6F * style.em);
}

bool offer(Rect r, std::uint32_t co, const std::string& detail, Selection& selection) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1})) return false;
    if (co != trace::kNone && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) selection.chosen = co;
    ImGui::SetTooltip("%s", detail.c_str());
    return true;
}

void draw_member_frame(const Canvas& canvas, Rect r, bool now, bool chosen) {
    const Palette& colors = canvas.style().colors();
    if (now) return canvas.frame(r, colors.playhead, 3);
    if (chosen) return canvas.frame(r, colors.chosen, 2);
    canvas.frame(r, colors.line);
}

Color draw_member_ground(const Canvas& canvas, Rect r, std::uint32_t co, trace::State state) {
    const Style& style = canvas.style();
    if (co == trace::kNone) {
        canvas.fill(r, style.colors().control);
        return style.colors().text;
    }
    canvas.fill_state(r, state);
    return look(state, style.theme).ink;
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

// ---- heaps ----------------------------------------------------------------------------------------------------------

/// One of the two pictures of a place.
void draw_place(const Canvas& canvas, Rect r, const HeapItem& item, bool chosen) {
    if (item.in_hand) {
        canvas.fill(r, canvas.style().colors().panel);
        return draw_dashed_frame(canvas, r, canvas.style().colors().text, 2);
    }
    draw_member_ground(canvas, r, item.co, item.state);
    draw_member_frame(canvas, r, item.now, chosen);
}

Color ink_of(const Canvas& canvas, const HeapItem& item) {
    const Style& style = canvas.style();
    return item.co == trace::kNone || item.in_hand ? style.colors().text : look(item.state, style.theme).ink;
}

void draw_node(const Canvas& canvas, const HeapItem& item, bool chosen) {
    const Rect& r = item.node;
    const Color ink = ink_of(canvas, item);
    draw_place(canvas, r, item, chosen);
    const float line = item.key.empty() ? r.height() : r.height() / 2;
    draw_centred(canvas, {r.x0, r.y0, r.x1, r.y0 + line}, item.name, ink);
    if (!item.key.empty()) draw_centred(canvas, {r.x0, r.y0 + line, r.x1, r.y1 - 1}, item.key, ink);
    if (!item.below.empty()) draw_centred(canvas, item.below_rect, item.below, canvas.style().colors().text);
}

void draw_cell(const Canvas& canvas, const HeapItem& item, bool chosen) {
    draw_place(canvas, item.cell, item, chosen);
    draw_centred(canvas, item.cell, item.cell_name, ink_of(canvas, item));
    draw_centred(canvas, item.index_rect, item.index, canvas.style().colors().dim);
}

void draw_heap_line(const Canvas& canvas, const HeapLine& line) {
    const Palette& colors = canvas.style().colors();
    canvas.line(line.from, line.to, line.now ? colors.playhead : colors.arrow, line.now ? 3.5F : 1.5F);
    if (line.now) draw_tip(canvas, line.from, line.to, colors.playhead);
}

// ---- wheels ---------------------------------------------------------------------------------------------------------

void draw_ring(const Canvas& canvas, const WheelView& wheel) {
    const Palette& colors = canvas.style().colors();
    const Dial& ring = wheel.ring;
    const Color hand = wheel.hand_now ? colors.playhead : colors.text;
    for (const WheelSlot& slot : wheel.slots) {
        canvas.line(slot.dot, slot.knee, colors.line);
        canvas.line(slot.knee, slot.edge, colors.line);
    }
    canvas.list()->AddCircle({ring.middle.x, ring.middle.y}, ring.radius, packed(colors.dim), 96, 2);
    for (const WheelMark& mark : wheel.marks)
        canvas.line(mark.from, mark.to, colors.dim, mark.text.empty() ? 1.0F : 2.0F);
    if (ring.before) draw_dashes(canvas, ring.middle, *ring.before, colors.dim, 2);
    draw_hand(canvas, ring.middle, ring.hand, hand, wheel.hand_now ? 3.5F : 2.5F);
    for (const WheelMark& mark : wheel.marks) {
        if (mark.text.empty()) continue;
        canvas.fill(mark.text_rect, colors.panel);
        draw_centred(canvas, mark.text_rect, mark.text, colors.dim);
    }
    for (const Point dot : ring.dots)
        canvas.list()->AddCircleFilled({dot.x, dot.y}, 0.25F * canvas.style().em, packed(colors.text), 12);
    const Dial& whole = wheel.whole;
    if (whole.radius <= 0) return;
    canvas.list()->AddCircleFilled({whole.middle.x, whole.middle.y}, 1.15F * whole.radius, packed(colors.panel), 48);
    canvas.list()->AddCircle({whole.middle.x, whole.middle.y}, whole.radius, packed(colors.dim), 48, 1.5F);
    canvas.line(whole.middle, whole.hand, hand, 2);
    for (const Point dot : whole.dots) canvas.list()->AddCircleFilled({dot.x, dot.y}, 2.5F, packed(colors.text), 8);
}

void draw_slot(const Canvas& canvas, const WheelSlot& slot, Selection& selection) {
    const Palette& colors = canvas.style().colors();
    draw_centred(canvas, slot.number_rect, slot.number, colors.dim);
    for (const SetBox& item : slot.items) {
        if (item.ghost) {
            draw_dashed_frame(canvas, item.rect, colors.playhead, 2);
            draw_centred(canvas, item.rect, item.name, colors.dim);
            continue;
        }
        const Color ink = draw_member_ground(canvas, item.rect, item.co, item.state);
        draw_centred(canvas, item.rect, item.name, ink);
        draw_member_frame(canvas, item.rect, item.now, item.co != trace::kNone && item.co == selection.chosen);
        offer(item.rect, item.co, item.detail, selection);
    }
    if (!slot.more.empty()) draw_centred(canvas, slot.more_rect, slot.more, colors.text);
}

}  // namespace

void draw_heap(const Canvas& canvas, const HeapView& heap, Selection& selection) {
    draw_set_title(canvas, heap.title, heap.name, heap.words);
    for (const HeapLine& line : heap.lines) draw_heap_line(canvas, line);
    for (const HeapItem& item : heap.items) {
        const bool chosen = item.co != trace::kNone && item.co == selection.chosen;
        bool pointed = false;
        for (const Rect& r : {item.node, item.cell})
            if (!r.empty()) pointed = offer(r, item.co, item.detail, selection) || pointed;
        if (!item.node.empty()) draw_node(canvas, item, chosen || pointed);
        if (!item.cell.empty()) draw_cell(canvas, item, chosen || pointed);
    }
    // What the event at the playhead moved lies above everything.
    for (const HeapLine& line : heap.lines)
        if (line.now) draw_heap_line(canvas, line);
    if (!heap.more.empty())
        canvas.text({heap.more_rect.x0, canvas.text_y(heap.more_rect)}, heap.more, canvas.style().colors().text);
}

void draw_wheel(const Canvas& canvas, const WheelView& wheel, Selection& selection) {
    draw_set_title(canvas, wheel.title, wheel.name, wheel.words);
    if (wheel.ring.radius <= 0) return;
    draw_ring(canvas, wheel);
    for (const WheelSlot& slot : wheel.slots) draw_slot(canvas, slot, selection);
    if (!wheel.more.empty())
        canvas.text({wheel.more_rect.x0, canvas.text_y(wheel.more_rect)}, wheel.more, canvas.style().colors().text);
}

}  // namespace fiberscope::viewer
