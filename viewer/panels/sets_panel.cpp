#include <algorithm>
#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {
namespace {

constexpr float kHeading = 1.4F;  // em

/// Text that is already cut to fit stands in the middle of a line.
void centred(const Canvas& canvas, Rect r, const std::string& text, Color color, const ImFont* font = nullptr) {
    canvas.text({r.middle_x() - canvas.text_width(text, font) / 2, canvas.text_y(r, font)}, text, color, font);
}

bool hovered(Rect r) { return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1}); }

/// A click on `r` chooses `co`, unless it is nobody; the mouse upon it shows `detail`.
void offer(Rect r, std::uint32_t co, const std::string& detail, Selection& selection) {
    if (!hovered(r)) return;
    if (co != trace::kNone && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) selection.chosen = co;
    ImGui::SetTooltip("%s", detail.c_str());
}

void draw_box(const Canvas& canvas, const QueueBox& box, bool chosen) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const Look& state_look = look(box.state, style.theme);
    const float em = style.em;
    Color ink = colors.text;
    float x = box.rect.x0 + 0.35F * em;
    if (box.co != trace::kNone) {
        canvas.fill_state(box.rect, box.state);
        ink = state_look.ink;
        x += canvas.text({x, canvas.text_y(box.rect)}, state_look.letter, ink, style.fonts.bold) + 0.4F * em;
    } else {
        canvas.fill(box.rect, colors.control);
    }
    canvas.text({x, canvas.text_y(box.rect)}, box.name, ink);
    canvas.frame(box.rect,
                 box.now  ? colors.playhead
                 : chosen ? colors.chosen
                          : colors.line,
                 box.now  ? 3.0F
                 : chosen ? 2.0F
                          : 1.0F);
}

void draw_title(const Canvas& canvas, Rect r, const std::string& name, const std::string& words) {
    const Style& style = canvas.style();
    const float y = canvas.text_y(r);
    const float width = canvas.text({r.x0, y}, name, style.colors().text, style.fonts.bold, r.width());
    canvas.text({r.x0 + width + 0.6F * style.em, y}, words, style.colors().dim, nullptr,
                r.width() - width - 0.6F * style.em);
}

void draw_queue(const Canvas& canvas, const QueueRow& row, Selection& selection) {
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    draw_title(canvas, row.title, row.name, row.words);
    if (!row.left.empty()) {
        const Rect r{row.left_rect.x0, row.left_rect.y0 + 0.15F * em, row.left_rect.x1 - 0.4F * em,
                     row.left_rect.y1 - 0.15F * em};
        canvas.frame(r, colors.playhead, 2);
        centred(canvas, r, row.left, colors.text);
    }
    if (!row.head.empty()) {
        canvas.text({row.head.x0, canvas.text_y(row.head)}, "head", colors.dim);
        const float x = row.head.x1 - 0.25F * em, y = row.head.middle_y(), size = 0.3F * em;
        canvas.list()->AddTriangleFilled({x, y}, {x - size, y - size}, {x - size, y + size}, packed(colors.dim));
    } else if (row.boxes.empty() && row.words != "not yet") {
        const float x = row.left.empty() ? row.title.x1 : row.left_rect.x1;
        canvas.text({x, canvas.text_y(row.title)}, "empty", colors.dim);
    }
    for (const QueueBox& box : row.boxes) {
        draw_box(canvas, box, box.co != trace::kNone && box.co == selection.chosen);
        offer(box.rect, box.co, box.detail, selection);
    }
    if (!row.more.empty()) canvas.text({row.more_rect.x0, canvas.text_y(row.more_rect)}, row.more, colors.text);
}

// ---- trees ----------------------------------------------------------------------------------------------------------

void draw_dashes(const Canvas& canvas, Point a, Point b, Color color, float thickness) {
    const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
    const float dash = 0.35F * canvas.style().em;
    for (float at = 0; at < length; at += 2 * dash) {
        const float end = std::min(length, at + dash);
        canvas.line({a.x + dx * at / length, a.y + dy * at / length},
                    {a.x + dx * end / length, a.y + dy * end / length}, color, thickness);
    }
}

void draw_cross(const Canvas& canvas, Point at, Color color) {
    const float size = 0.25F * canvas.style().em;
    canvas.line({at.x - size, at.y - size}, {at.x + size, at.y + size}, color, 2);
    canvas.line({at.x - size, at.y + size}, {at.x + size, at.y - size}, color, 2);
}

/// Red ones are round and black ones square, so that colour is not needed to tell them.
void draw_node(const Canvas& canvas, const TreeBox& box, bool chosen) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const float em = style.em;
    draw_node_shape(canvas, box.rect, box.color);
    const bool red = box.color == trace::Color::red;
    const Rect r = box.rect;
    if (box.now || chosen)
        canvas.list()->AddRect({r.x0, r.y0}, {r.x1, r.y1}, packed(box.now ? colors.playhead : colors.chosen),
                               red ? kRound * em : 0, 0, box.now ? 3.5F : 2.0F);
    const float line = box.key.empty() ? r.height() : r.height() / 2;
    const float left = box.chip.empty() ? r.x0 : box.chip.x1;
    if (!box.chip.empty()) canvas.chip(box.chip, box.state);
    centred(canvas, {left, r.y0, r.x1, r.y0 + line}, box.name, colors.node_ink);
    if (!box.key.empty()) centred(canvas, {left, r.y0 + line, r.x1, r.y1 - 1}, box.key, colors.node_ink);
    if (!box.below.empty()) centred(canvas, box.below_rect, box.below, colors.text);
}

void draw_tree(const Canvas& canvas, const TreeView& tree, Selection& selection) {
    draw_title(canvas, tree.title, tree.name, tree.words);
    for (const TreeLine& line : tree.lines) draw_tree_line(canvas, line);
    for (const TreeBox& box : tree.boxes) {
        draw_node(canvas, box, !box.timer && box.id == selection.chosen);
        offer(box.rect, box.timer ? trace::kNone : box.id, box.detail, selection);
    }
    // What the event at the playhead wrote lies above everything.
    for (const TreeLine& line : tree.lines)
        if (line.now) draw_tree_line(canvas, line);
}

}  // namespace

void draw_tree_line(const Canvas& canvas, const TreeLine& line) {
    const Palette& colors = canvas.style().colors();
    const Color color = line.now ? colors.playhead : colors.arrow;
    const float thickness = line.now ? 3.5F : 1.5F;
    if (line.way == LinkWay::up)
        draw_dashes(canvas, line.from, line.to, color, thickness);
    else
        canvas.line(line.from, line.to, color, thickness);
    if (line.way == LinkWay::down || line.way == LinkWay::root) draw_tip(canvas, line.from, line.to, color);
    if (line.way == LinkWay::up) draw_tip(canvas, line.to, line.from, color);
    if (line.way == LinkWay::nobody) draw_cross(canvas, line.to, color);
}

void draw_node_shape(const Canvas& canvas, Rect r, trace::Color color) {
    const Palette& colors = canvas.style().colors();
    const bool red = color == trace::Color::red;
    const float rounding = red ? std::min(kRound * canvas.style().em, r.height() / 2) : 0;
    const Color fill = red ? colors.node_red : color == trace::Color::black ? colors.node_black : colors.mixed;
    canvas.fill(r, fill, rounding);
    canvas.list()->AddRect({r.x0, r.y0}, {r.x1, r.y1}, packed(colors.dim), rounding);
}

void SetsPanel::draw(const Scene& scene, Rect area, Selection& selection) {
    Rect content = begin_panel("sets", area, scene.style, "");
    const float heading = content.y0;
    content.y0 += kHeading * scene.style.em;
    drawn_ = layout_sets({scene.replay, scene.index, content, metrics_of(scene.style.fonts.text, scene.style.em)});
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    canvas.text({content.x0, heading}, drawn_.heading, scene.style.colors().text, scene.style.fonts.bold);
    for (const QueueRow& row : drawn_.queues) draw_queue(canvas, row, selection);
    for (const TreeView& tree : drawn_.trees) draw_tree(canvas, tree, selection);
    if (drawn_.steal) draw_steal(canvas, drawn_.steal->from, drawn_.steal->to, drawn_.steal->count, true);
    if (!drawn_.more.empty())
        canvas.text({drawn_.more_rect.x0, drawn_.more_rect.y0}, drawn_.more, scene.style.colors().text);
    end_panel();
}

}  // namespace fiberscope::viewer
