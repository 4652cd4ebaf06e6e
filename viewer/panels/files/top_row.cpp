// The row at the top of the window: file tabs, lock, mode tabs.
#include "viewer/layout/page/file_tabs.h"
#include "viewer/panels/over/mode_tabs.h"
#include "viewer/panels/widgets.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {
namespace {

/// Minimum share of the row for the file tabs.
constexpr float kFilesShare = 0.45F;
constexpr float kFewTabs = 10;  // em: minimum width for the file tabs

}  // namespace

bool Workspace::on(Action action) const {
    switch (action) {
    case Action::side_by_side: return side_by_side() && !state_.matrix;
    case Action::matrix: return state_.matrix;
    case Action::predict: return predicting_.on();
    case Action::present: return state_.present;
    case Action::table: return table() && !side_by_side() && !state_.matrix;
    case Action::search: return state_.overlays.search.open();
    case Action::play_lecture: return !state_.told.empty();
    case Action::palette: return state_.overlays.palette.open();
    default: return false;
    }
}

float Workspace::draw_lock_button(Rect area) {
    const std::string lock = state_.files.in_step()
                                 ? style_.says("locked by {0} (L)", style_.says(lock_word(this->lock())))
                                 : style_.says("not locked (L)");
    const float begin = area.x1 - ImGui::CalcTextSize(lock.c_str()).x - style_.em;
    if (begin < area.x0 + kFewTabs * style_.em) return area.x1;
    ImGui::SetCursorScreenPos({begin, area.y0});
    if (button(style_, lock + "###lock", {area.x1 - begin, area.height()})) state_.files.change_lock();
    return begin - 0.5F * style_.em;
}

float Workspace::draw_tabs(Rect window) {
    const float width = window.width(), em = style_.em, height = 1.9F * em;
    const bool files = size() > 1;
    if (state_.present && !files) return 0;
    Rect row{0.35F * em, 0.25F * em, width - 0.35F * em, height - 0.15F * em};
    std::optional<Action> pressed;
    if (!state_.present) {
        const float left = row.x0 + (files ? kFilesShare * row.width() : 0);
        pressed = draw_modes(
            style_, {left, row.y0, row.x1, row.y1}, !is_small(window, em), [this](Action action) { return on(action); },
            row.x1);
    }
    row.x1 -= 0.5F * em;
    if (side_by_side()) row.x1 = draw_lock_button(row);
    if (files) draw_file_tabs({row.x0, row.y0, row.x1, row.y1});
    if (pressed) apply(*pressed);
    return height;
}

void Workspace::draw_file_tabs(Rect area) {
    const auto tabs = state_.files.tabs();
    std::vector<std::string> titles;
    for (const Tab& tab : tabs) titles.push_back(tab.document->title());
    const Canvas canvas(ImGui::GetWindowDrawList(), style_);
    const auto draw = [&](Rect r, const std::string& text, std::size_t file) {
        ImGui::SetCursorScreenPos({r.x0, r.y0});
        if (button(style_, text + "##file" + std::to_string(file), {r.width(), r.height()}) &&
            (!side_by_side() || tabs[file].readable()))
            state_.files.activate(file);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", titles[file].c_str());
    };
    const FileTabs shown = layout_file_tabs(area, titles, active(), metrics_of(style_));
    const std::size_t now = active();
    for (const FileTab& tab : shown.tabs) {
        draw(tab.rect, tab.text, tab.file);
        if (tab.file == now) canvas.frame(tab.rect, style_.colors().chosen, 2);
    }
    if (!shown.before.empty()) draw(shown.before_rect, shown.before, shown.tabs.front().file - 1);
    if (!shown.behind.empty()) draw(shown.behind_rect, shown.behind, shown.tabs.back().file + 1);
}

}  // namespace fiberscope::viewer
