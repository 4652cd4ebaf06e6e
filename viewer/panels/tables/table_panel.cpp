#include "viewer/panels/tables/table_panel.h"

#include <algorithm>
#include <cmath>

#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTablePanelRow = 1.35F, kHead = 1.5F;  // em

std::string heading_of(const Style& style, const Selection& selection) {
    const bool region = selection.region && selection.region->span() > 0;
    return style.says(region ? mark("Coroutines, times within the region")
                             : mark("Coroutines, times of the whole run"));
}

}  // namespace

void TablePanel::count(const Scene& scene, const Selection& selection) {
    const Range span = span_of(scene.index, selection);
    if (table_ && span.from == span_.from && span.to == span_.to && !sort_wish_) return;
    const TableColumn sorted = table_ ? table_->sorted_by() : TableColumn::name;
    const bool backwards = table_ && table_->backwards();
    span_ = span;
    table_ = std::make_unique<CoroutineTable>(scene.replay, scene.index, span);
    const TableColumn wanted = sort_wish_.value_or(sorted);
    if (wanted != TableColumn::name || backwards || sort_wish_) {
        table_->sort_by(wanted);
        if (!sort_wish_ && table_->backwards() != backwards) table_->sort_by(wanted);
    }
    sort_wish_.reset();
}

void TablePanel::draw_heads(const Canvas& canvas, Rect r, const std::vector<TableHead>& heads) {
    const Style& style = canvas.style();
    for (const TableHead& head : heads) {
        const Rect cell{r.x0 + head.x0, r.y0, std::min(r.x0 + head.x1, r.x1), r.y1};
        ImGui::SetCursorScreenPos({cell.x0, cell.y0});
        ImGui::PushID(static_cast<int>(head.column));
        if (ImGui::InvisibleButton("head", {std::max(1.0F, cell.width()), cell.height()})) table_->sort_by(head.column);
        ImGui::PopID();
        if (ImGui::IsItemHovered()) {
            canvas.fill(cell, style.colors().control);
            ImGui::SetTooltip("%s", head.meaning.c_str());
        }
        const bool sorted = table_->sorted_by() == head.column;
        const std::string title = head.title + (sorted ? table_->backwards() ? " ▾" : " ▴" : "");
        const bool name = head.column == TableColumn::name;
        const float width = canvas.text_width(title, style.fonts.bold);
        const float x = name ? cell.x0 + 0.4F * style.em : std::max(cell.x0, cell.x1 - width - 0.4F * style.em);
        canvas.text({x, canvas.text_y(cell, style.fonts.bold)}, title, style.colors().text, style.fonts.bold,
                    cell.x1 - x);
    }
    canvas.line({r.x0, r.y1}, {r.x1, r.y1}, style.colors().line);
}

void TablePanel::draw_row(const Scene& scene, std::size_t place, float width, const std::vector<TableHead>& heads,
                          Selection& selection) {
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect r{at.x, at.y, at.x + width, at.y + kTablePanelRow * em};
    const TableRow row = table_->row(place, heads);
    ImGui::PushID(static_cast<int>(row.co));
    if (ImGui::InvisibleButton("row", {width, r.height()})) {
        selection.chosen = row.co;
        last_chosen_ = row.co;
    }
    ImGui::PopID();
    if (place % 2 != 0) canvas.fill(r, colors.lane_other);
    if (ImGui::IsItemHovered()) canvas.fill(r, colors.control);
    if (row.co == selection.chosen) {
        canvas.fill(r, colors.chosen.with_alpha(38));
        canvas.frame(r, colors.chosen, 2);
    }
    const float side = 1.05F * em, y = r.middle_y() - side / 2;
    const trace::CoroutineNow& now = scene.replay.coroutine(row.co);
    if (now.exists)
        canvas.chip({r.x0 + 0.3F * em, y, r.x0 + 0.3F * em + side, y + side},
                    look(now.state, idle_now(scene.replay, scene.index, row.co), scene.style.theme));
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const Rect cell{r.x0 + heads[i].x0, r.y0, std::min(r.x0 + heads[i].x1, r.x1), r.y1};
        const bool name = heads[i].column == TableColumn::name;
        const float x = name ? cell.x0 + 1.8F * em : cell.x1 - 0.4F * em - canvas.text_width(row.cells[i]);
        const bool nothing = row.cells[i] == "–";
        canvas.text({x, canvas.text_y(cell)}, row.cells[i], nothing ? colors.dim : colors.text, nullptr,
                    name ? cell.x1 - x : 1e9F);
    }
}

void TablePanel::draw(const Scene& scene, Rect area, Selection& selection) {
    count(scene, selection);
    const float em = scene.style.em;
    Rect r = begin_panel("table", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const float rows = std::max(1.0F, std::floor((r.height() - (kHeading + kHead) * em) / (kTablePanelRow * em)));
    draw_heading(canvas, r, heading_of(scene.style, selection),
                 shown_of_all(scene.style, static_cast<std::size_t>(rows), table_->size()));
    r.y0 += kHeading * em;
    const float bar = ImGui::GetStyle().ScrollbarSize;
    const auto heads = table_->heads(r.width() - bar, metrics_of(scene.style));
    draw_heads(canvas, {r.x0, r.y0, r.x1 - bar, r.y0 + kHead * em}, heads);
    ImGui::SetCursorScreenPos({r.x0, r.y0 + kHead * em});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const float room = rows * kTablePanelRow * em;
    ImGui::BeginChild("rows", {r.width(), room}, false, ImGuiWindowFlags_NoNav);
    if (selection.chosen != last_chosen_) {
        last_chosen_ = selection.chosen;
        const std::size_t place = table_->place_of(selection.chosen);
        const float y = kTablePanelRow * em * static_cast<float>(place), top = ImGui::GetScrollY();
        if (place < table_->size() && (y < top || y + kTablePanelRow * em > top + room))
            ImGui::SetScrollY(std::max(0.0F, y - room / 2));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(table_->size()), kTablePanelRow * em);
    while (clipper.Step())
        for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n)
            draw_row(scene, static_cast<std::size_t>(n), r.width() - bar, heads, selection);
    clipper.End();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    end_panel();
}

}  // namespace fiberscope::viewer
