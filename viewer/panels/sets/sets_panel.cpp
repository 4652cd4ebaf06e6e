#include <algorithm>
#include <tuple>

#include "viewer/layout/sets/glide.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/sets/shape_drawing.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {
namespace {

constexpr float kHeading = 1.4F, kSetsPanelLow = 16;  // em: the heading; a height without one
/// Members glide if the playhead moved by no more events than that: from further away nothing can be followed.
constexpr std::size_t kFewEvents = 3;

void draw_box(const Canvas& canvas, const SetBox& box, bool chosen) {
    const Style& style = canvas.style();
    const Color ink = draw_member_ground(canvas, box.rect, box.co, box.state);
    float x = box.rect.x0 + 0.35F * style.em;
    if (box.co != trace::kNone)
        x += canvas.text({x, canvas.text_y(box.rect)}, look(box.state, style.theme).letter, ink, style.fonts.bold) +
             0.4F * style.em;
    canvas.text({x, canvas.text_y(box.rect)}, box.name, ink);
    draw_member_frame(canvas, box.rect, box.now, chosen);
}

void draw_queue(const Canvas& canvas, const QueueRow& row, Selection& selection) {
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    draw_set_title(canvas, row.title, row.name, row.words);
    if (!row.left.empty()) {
        const Rect r{row.left_rect.x0, row.left_rect.y0 + 0.15F * em, row.left_rect.x1 - 0.4F * em,
                     row.left_rect.y1 - 0.15F * em};
        if (row.left_ghost)
            draw_dashed_frame(canvas, r, colors.playhead, 2);
        else
            canvas.frame(r, colors.playhead, 2);
        draw_centred(canvas, r, row.left, colors.text);
    }
    if (!row.head.empty()) {
        canvas.text({row.head.x0, canvas.text_y(row.head)}, canvas.style().says("head"), colors.dim);
        const float x = row.head.x1 - 0.25F * em, y = row.head.middle_y(), size = 0.3F * em;
        canvas.list()->AddTriangleFilled({x, y}, {x - size, y - size}, {x - size, y + size}, packed(colors.dim));
    } else if (row.boxes.empty() && row.declared) {
        const float x = row.left.empty() ? row.title.x1 : row.left_rect.x1;
        const std::string empty = canvas.style().says("empty");
        if (x + canvas.text_width(empty) <= row.rect.x1) canvas.text({x, canvas.text_y(row.title)}, empty, colors.dim);
    }
    for (const SetBox& box : row.boxes) {
        draw_box(canvas, box, box.co != trace::kNone && box.co == selection.chosen);
        offer(box.rect, box.co, box.detail, selection);
    }
    if (!row.more.empty()) canvas.text({row.more_rect.x0, canvas.text_y(row.more_rect)}, row.more, colors.text);
}

// ---- trees ----------------------------------------------------------------------------------------------------------

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
    if (box.ghost) {
        draw_dashed_frame(canvas, box.rect, colors.playhead, 2);
        return draw_centred(canvas, box.rect, box.name, colors.dim);
    }
    draw_node_shape(canvas, box.rect, box.color);
    const bool red = box.color == trace::Color::red;
    const Rect r = box.rect;
    if (box.now || chosen)
        canvas.list()->AddRect({r.x0, r.y0}, {r.x1, r.y1}, packed(box.now ? colors.playhead : colors.chosen),
                               red ? kRound * em : 0, 0, box.now ? 3.5F : 2.0F);
    const float line = box.key.empty() ? r.height() : r.height() / 2;
    const float left = box.chip.empty() ? r.x0 : box.chip.x1;
    if (!box.chip.empty()) canvas.chip(box.chip, box.state);
    draw_centred(canvas, {left, r.y0, r.x1, r.y0 + line}, box.name, colors.node_ink);
    if (!box.key.empty()) draw_centred(canvas, {left, r.y0 + line, r.x1, r.y1 - 1}, box.key, colors.node_ink);
    if (!box.below.empty()) draw_centred(canvas, box.below_rect, box.below, colors.text);
}

/// Where the nodes of a rotation were, and where they will be.
void draw_ghosts(const Canvas& canvas, const TreeView& tree) {
    const Palette& colors = canvas.style().colors();
    for (const auto& [from, to] : tree.before) draw_dashes(canvas, from, to, colors.dim, 1.5F);
    for (const auto& [from, to] : tree.after) draw_dashes(canvas, from, to, colors.playhead, 2);
    for (const TreeGhost& ghost : tree.ghosts) {
        draw_dashed_frame(canvas, ghost.rect, ghost.after ? colors.playhead : colors.dim, ghost.after ? 2.0F : 1.5F);
        draw_centred(canvas, ghost.rect, ghost.word, colors.dim);
    }
}

void draw_tree(const Canvas& canvas, const TreeView& tree, Selection& selection) {
    draw_set_title(canvas, tree.title, tree.name, tree.words);
    draw_ghosts(canvas, tree);
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
    if (line.way == LinkWay::cut) draw_cross(canvas, line.to, color);
}

void draw_node_shape(const Canvas& canvas, Rect r, trace::Color color) {
    const Palette& colors = canvas.style().colors();
    const bool red = color == trace::Color::red;
    const float rounding = red ? std::min(kRound * canvas.style().em, r.height() / 2) : 0;
    const Color fill = red ? colors.node_red : color == trace::Color::black ? colors.node_black : colors.mixed;
    canvas.fill(r, fill, rounding);
    canvas.list()->AddRect({r.x0, r.y0}, {r.x1, r.y1}, packed(colors.dim), rounding);
}

void SetsPanel::glide(const Scene& scene, Rect area, Sets now) {
    const Drawn here{scene.replay.at(), area, scene.style.em};
    const std::size_t step = here.at > last_.at ? here.at - last_.at : last_.at - here.at;
    const bool same = std::tie(area.x0, area.y0, area.x1, area.y1, here.em) ==
                      std::tie(last_.area.x0, last_.area.y0, last_.area.x1, last_.area.y1, last_.em);
    last_ = here;
    const double time = ImGui::GetTime();
    if (!same || step > kFewEvents || scene.glide <= 0) arrives_ = 0;
    if (same && step > 0 && step <= kFewEvents && scene.glide > 0 && moves(drawn_, now)) {
        before_ = std::move(drawn_);
        began_ = time;
        arrives_ = time + scene.glide;
    }
    if (time >= arrives_) {
        drawn_ = std::move(now);
        return;
    }
    const auto part = static_cast<float>((time - began_) / (arrives_ - began_));
    drawn_ = between(before_, now, part * part * (3 - 2 * part));  // begins and ends slowly
}

void SetsPanel::draw(const Scene& scene, Rect area, Selection& selection) {
    const float em = scene.style.em;
    const Rect whole = begin_panel("sets", area, scene.style, "");
    const Rect below{whole.x0, whole.y0 + kHeading * em, whole.x1, whole.y1};
    const auto layout = [&](Rect content) {
        return layout_sets({scene.replay, scene.index, content, metrics_of(scene.style)});
    };
    // Where there is little room the sets get it all, if that is enough for them.
    Sets now = layout(whole.height() < kSetsPanelLow * em ? whole : below);
    const bool headed = whole.height() >= kSetsPanelLow * em || !now.more.empty();
    if (headed) now = layout(below);
    glide(scene, headed ? below : whole, std::move(now));
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    if (headed) canvas.text({whole.x0, whole.y0}, drawn_.heading, scene.style.colors().text, scene.style.fonts.bold);
    for (const TreeView& tree : drawn_.trees) draw_tree(canvas, tree, selection);
    for (const HeapView& heap : drawn_.heaps) draw_heap(canvas, heap, selection);
    for (const WheelView& wheel : drawn_.wheels) draw_wheel(canvas, wheel, selection);
    // What is woken glides over the trees and wheels out of which it comes.
    for (const QueueRow& row : drawn_.queues) draw_queue(canvas, row, selection);
    if (drawn_.steal) draw_steal(canvas, drawn_.steal->from, drawn_.steal->to, drawn_.steal->count, true);
    if (!drawn_.more.empty())
        canvas.text({drawn_.more_rect.x0, drawn_.more_rect.y0}, drawn_.more, scene.style.colors().text);
    end_panel();
}

}  // namespace fiberscope::viewer
