#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/stacks/shared_stacks.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/signs.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

void draw_owner(const Canvas& canvas, const SharedStackBox& box, bool chosen) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    canvas.text({box.title.x0, canvas.text_y(box.title, style.fonts.bold)}, box.name, colors.text, style.fonts.bold,
                box.title.width());
    const Rect& r = box.owner_box;
    if (box.owner == trace::kNone) {
        canvas.frame(r, colors.line);
        canvas.text_in(r, canvas.text_width(box.owner_words) <= r.width() ? box.owner_words : "–", colors.dim);
        return;
    }
    const Look& state_look = look(box.owner_state, style.theme);
    const float pad = 0.4F * style.em;
    canvas.fill_state(r, box.owner_state);
    canvas.frame(r, chosen ? colors.chosen : colors.line, chosen ? 2.0F : 1.0F);
    const float letter =
        canvas.text({r.x0 + pad, canvas.text_y(r)}, state_look.letter, state_look.ink, style.fonts.bold);
    const float x = r.x0 + 2 * pad + letter;
    const float room = r.x1 - x - pad;
    const bool fits = canvas.text_width(box.owner_words) <= room;
    canvas.text({x, canvas.text_y(r)}, fits ? box.owner_words : box.owner_name, state_look.ink, nullptr, room);
}

void draw_total(const Canvas& canvas, Rect r, MarkKind kind, const std::string& words) {
    const float em = canvas.style().em;
    draw_sign(canvas, {r.x0 + 0.55F * em, r.middle_y()}, 0.45F * em, kind);
    canvas.text({r.x0 + 1.4F * em, canvas.text_y(r)}, words, canvas.style().colors().text, nullptr,
                r.width() - 1.4F * em);
}

void draw_row(const Canvas& canvas, const TenantRow& row, bool chosen) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const float em = style.em;
    if (chosen) {
        canvas.fill(row.rect, colors.chosen.with_alpha(38));
        canvas.frame(row.rect, colors.chosen, 2);
    }
    if (row.exists) canvas.chip(row.chip, row.state);
    const float x = row.chip.x1 + 0.4F * em;
    canvas.text({x, canvas.text_y(row.rect)}, fitting_lane_name(metrics_of(style), row.room.x0 - x, row.name),
                row.exists ? colors.text : colors.dim);
    canvas.fill({row.room.x0, row.room.y1 - 1, row.room.x1, row.room.y1}, colors.line.with_alpha(90));
    if (!row.buffer.empty()) canvas.fill(row.buffer, colors.background);
    if (!row.image.empty()) canvas.fill_state(row.image, row.state);
    if (!row.buffer.empty()) canvas.frame(row.buffer, colors.dim);
    const bool plain = row.image.empty();
    canvas.text({row.room.x1 + 0.4F * em, canvas.text_y(row.rect)}, row.words, plain ? colors.dim : colors.text,
                nullptr, row.rect.x1 - row.room.x1 - 0.4F * em);
}

void draw_box(const Canvas& canvas, const SharedStackBox& box, Selection& selection) {
    draw_owner(canvas, box, box.owner != trace::kNone && box.owner == selection.chosen);
    draw_total(canvas, box.out, MarkKind::copy_out, box.out_words);
    draw_total(canvas, box.in, MarkKind::copy_in, box.in_words);
    if (box.owner != trace::kNone && clicked(box.owner_box)) selection.chosen = box.owner;
    for (const TenantRow& row : box.rows) {
        draw_row(canvas, row, row.co == selection.chosen);
        if (clicked(row.rect)) selection.chosen = row.co;
        if (ImGui::IsWindowHovered() &&
            ImGui::IsMouseHoveringRect({row.rect.x0, row.rect.y0}, {row.rect.x1, row.rect.y1}))
            ImGui::SetTooltip("%s", row.detail.c_str());
    }
}

}  // namespace

/// Scrolls to the stack that the event at the playhead concerns, once per move of the playhead.
void SharedStackPanel::follow_playhead(const Scene& scene, float room) {
    const std::size_t at = scene.replay.at();
    if (at == last_playhead_) return;
    last_playhead_ = at;
    if (at == 0) return;
    const trace::Event& event = scene.replay.trace()[at - 1];
    const bool concerns =
        event.kind == trace::Kind::own || event.kind == trace::Kind::copy || event.kind == trace::Kind::access;
    if (!concerns || event.set >= drawn_.tops.size()) return;
    const float top = drawn_.tops[event.set], bottom = drawn_.bottoms[event.set];
    const float scroll = ImGui::GetScrollY();
    if (top < scroll || bottom > scroll + room) ImGui::SetScrollY(top);
}

void SharedStackPanel::draw(const Scene& scene, Rect area, Selection& selection, std::uint64_t largest) {
    const Rect content =
        begin_panel("shared stacks", area, scene.style, shared_stacks_heading(scene.replay, scene.style.language));
    ImGui::SetCursorScreenPos({content.x0, content.y0});
    ImGui::BeginChild("stacks", {content.width(), content.height()}, false, ImGuiWindowFlags_NoNav);
    const float em = scene.style.em, scroll = ImGui::GetScrollY();
    const float width = ImGui::GetContentRegionAvail().x;
    drawn_ = layout_shared_stacks({scene.replay,
                                   scene.index,
                                   {content.x0, content.y0, content.x0 + width - 2, content.y1},
                                   metrics_of(scene.style),
                                   scroll,
                                   largest});
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    for (const SharedStackBox& box : drawn_.boxes) draw_box(canvas, box, selection);
    follow_playhead(scene, content.height());
    ImGui::Dummy({1, std::max(1.0F, drawn_.content_height - 0.8F * em)});
    ImGui::EndChild();
    end_panel();
}

}  // namespace fiberscope::viewer
