#include "viewer/panels/over/mode_tabs.h"

#include "viewer/model/keys.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

TabsUsed draw_tab_row(const Style& style, std::span<const ModeTab> tabs, const std::function<bool(std::size_t)>& on) {
    TabsUsed used;
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    for (const ModeTab& tab : tabs) {
        ImGui::SetCursorScreenPos({tab.rect.x0, tab.rect.y0});
        if (button(style, tab.text, {tab.rect.width(), tab.rect.height()})) used.clicked = tab.index;
        if (ImGui::IsItemHovered()) used.hovered = tab.index;
        if (on(tab.index)) canvas.frame(tab.rect, style.colors().chosen, 2);
    }
    return used;
}

std::optional<Action> draw_modes(const Style& style, Rect area, bool keys, const std::function<bool(Action)>& on,
                                 float& begin) {
    std::vector<ModeWord> words;
    std::vector<const KeyBinding*> rows;
    for (const KeyBinding& binding : key_bindings())
        if (!binding.tab.empty()) {
            words.push_back({style.says(binding.tab), std::string(keys ? binding.label : std::string_view())});
            rows.push_back(&binding);
        }
    const std::vector<ModeTab> tabs = layout_modes(area, words, metrics_of(style));
    const TabsUsed used = draw_tab_row(style, tabs, [&](std::size_t i) { return on(rows[i]->action); });
    if (used.hovered) tooltip_of(style, *rows[*used.hovered]);
    begin = tabs.empty() ? area.x1 : tabs.front().rect.x0;
    return used.clicked ? std::optional(rows[*used.clicked]->action) : std::nullopt;
}

}  // namespace fiberscope::viewer
