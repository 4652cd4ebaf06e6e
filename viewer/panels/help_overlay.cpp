#include <algorithm>

#include "viewer/keys.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLine = 1.45F;  // in em

std::size_t help_lines() {
    std::size_t count = 0;
    for (const KeyBinding& binding : key_bindings()) count += binding.help.empty() ? 0 : 1;
    return count;
}

void draw_keys(const Canvas& canvas, Rect r) {
    const Style& style = canvas.style();
    const float em = style.em;
    float y = r.y0;
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.help.empty()) continue;
        const Rect key{r.x0, y, r.x0 + 5.4F * em, y + kLine * em - 2};
        canvas.fill(key, style.colors().control, 0.2F * em);
        canvas.text_in(key, binding.label, style.colors().text, style.fonts.bold);
        canvas.text({key.x1 + 0.8F * em, canvas.text_y(key)}, binding.help, style.colors().text, nullptr,
                    r.x1 - key.x1 - em);
        y += kLine * em;
    }
}

void draw_mouse(const Canvas& canvas, Rect r) {
    const Style& style = canvas.style();
    const float em = style.em;
    float y = r.y0;
    for (const MouseLine& line : mouse_lines()) {
        canvas.text({r.x0, y}, line.gesture, style.colors().text, style.fonts.bold, r.width());
        canvas.text({r.x0 + em, y + 1.25F * em}, line.help, style.colors().text, nullptr, r.width() - em);
        y += 2.9F * em;
    }
}

}  // namespace

std::optional<Action> draw_help(const Style& style, Rect area) {
    const float em = style.em;
    const float width = std::min(area.width() - 2 * em, 52 * em);
    const float height = std::min(area.height() - 2 * em, (static_cast<float>(help_lines()) * kLine + 4.2F) * em);
    const Rect box{area.middle_x() - width / 2, area.middle_y() - height / 2, area.middle_x() + width / 2,
                   area.middle_y() + height / 2};
    ImGui::SetNextWindowPos({area.x0, area.y0});
    ImGui::SetNextWindowSize({area.width(), area.height()});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, 150));
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    canvas.fill(box, style.colors().panel, 0.4F * em);
    canvas.frame(box, style.colors().line);
    const float top = box.y0 + 0.8F * em, split = box.x0 + 0.56F * width;
    canvas.text({box.x0 + em, top}, "Keys", style.colors().text, style.fonts.large);
    canvas.text({split, top}, "Mouse", style.colors().text, style.fonts.large);
    draw_keys(canvas, {box.x0 + em, top + 2.2F * em, split - em, box.y1});
    draw_mouse(canvas, {split, top + 2.2F * em, box.x1 - em, box.y1});
    const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    return clicked ? std::optional(Action::help) : std::nullopt;
}

}  // namespace fiberscope::viewer
