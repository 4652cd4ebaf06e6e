#include "viewer/panels/over/mode_tabs.h"

#include "viewer/layout/page/modes.h"
#include "viewer/model/keys.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

std::optional<Action> draw_modes(const Style& style, Rect area, const std::function<bool(Action)>& on, float& begin) {
    std::vector<ModeWord> words;
    std::vector<const KeyBinding*> rows;
    for (const KeyBinding& binding : key_bindings())
        if (!binding.tab.empty()) {
            words.push_back({style.says(binding.tab), std::string(binding.label)});
            rows.push_back(&binding);
        }
    std::optional<Action> pressed;
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    begin = area.x1;
    for (const ModeTab& tab : layout_modes(area, words, metrics_of(style))) {
        const KeyBinding& row = *rows[tab.index];
        begin = std::min(begin, tab.rect.x0);
        ImGui::SetCursorScreenPos({tab.rect.x0, tab.rect.y0});
        if (button(style, tab.text, {tab.rect.width(), tab.rect.height()})) pressed = row.action;
        if (ImGui::IsItemHovered()) tooltip_of(style, row);
        if (on(row.action)) canvas.frame(tab.rect, style.colors().chosen, 2);
    }
    return pressed;
}

}  // namespace fiberscope::viewer
