#include "viewer/panels/over/palette_overlay.h"

#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kPaletteLine = 1.5F, kPaletteKey = 6;  // em

}  // namespace

bool PaletteOverlay::move_choice(std::size_t rows) {
    const std::size_t before = chosen_;
    if (key_pressed(ImGuiKey_DownArrow)) ++chosen_;
    if (key_pressed(ImGuiKey_UpArrow) && chosen_ > 0) --chosen_;
    chosen_ = std::min(chosen_, rows == 0 ? 0 : rows - 1);
    return chosen_ != before;
}

std::optional<Action> PaletteOverlay::draw_rows(const Style& style, const std::vector<const KeyBinding*>& rows,
                                                float height) {
    const bool moved = move_choice(rows.size());
    const float line = kPaletteLine * style.em;
    std::optional<Action> clicked;
    ImGui::BeginChild("actions", {0, std::min(height, line * static_cast<float>(rows.size()))});
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float width = ImGui::GetContentRegionAvail().x, key_width = kPaletteKey * style.em;
        ImGui::SetCursorPosY(line * static_cast<float>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Rect row{at.x, at.y, at.x + width, at.y + line}, key{row.x1 - key_width, row.y0 + 1, row.x1, row.y1 - 1};
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::InvisibleButton("row", {width, line})) clicked = rows[i]->action;
        ImGui::PopID();
        if (i == chosen_ || ImGui::IsItemHovered()) canvas.fill(row, style.colors().control, 0.2F * style.em);
        if (i == chosen_) canvas.fill({row.x0, row.y0, row.x0 + 0.25F * style.em, row.y1}, style.colors().chosen);
        if (i == chosen_ && moved) ImGui::SetScrollHereY();
        const float room = width - key_width - style.em;
        const std::string help = style.says(rows[i]->help);
        const std::string fits =
            canvas.text_width(help) <= room ? help : fitting_sentence(metrics_of(style), room, help, true);
        canvas.text({row.x0 + 0.6F * style.em, canvas.text_y(row)}, fits.empty() ? help : fits, style.colors().text,
                    nullptr, room);
        canvas.text_in(key, rows[i]->label, style.colors().text, style.fonts.bold);
    }
    ImGui::EndChild();
    return clicked;
}

std::optional<Action> PaletteOverlay::draw(const Style& style, Rect area) {
    if (!open_) return std::nullopt;
    const float em = style.em, width = std::min(area.width() - 2.5F * em, 42 * em);
    begin_over("palette", style, {area.middle_x() - width / 2, area.y0 + 2.5F * em}, width);
    if (focus_) focus_next_item();
    const bool entered = field(style, "##words", style.says("search actions by word or key"), text_);
    if (ImGui::IsItemEdited()) chosen_ = 0;
    const auto rows = actions_named(text_.data(), style.language);
    std::optional<Action> wish;
    if (rows.empty())
        paragraph(style, style.says("no matching action"), style.colors().dim);
    else
        wish = draw_rows(style, rows, area.height() - 9 * em);
    if (entered && !rows.empty()) wish = rows[chosen_]->action;
    focus_ = false;
    ImGui::End();
    if (wish) close();
    return wish;
}

}  // namespace fiberscope::viewer
