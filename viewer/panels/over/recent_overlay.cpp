#include "viewer/panels/over/recent_overlay.h"

#include <algorithm>

namespace fiberscope::viewer {

std::string RecentOverlay::draw(const Style& style, Rect area, const std::vector<std::string>& files) {
    if (!open_) return {};
    std::string clicked;
    const float em = style.em, width = std::min(area.width() - 2 * em, 56 * em);
    const float lines = static_cast<float>(std::max<std::size_t>(1, files.size()));
    ImGui::SetNextWindowPos({area.middle_x() - width / 2, area.y0 + 3 * em});
    ImGui::SetNextWindowSize({width, std::min(area.height() - 4 * em, (3 + 1.85F * lines) * em)});
    ImGui::Begin("recent", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    canvas.fill({at.x, at.y, at.x + size.x, at.y + size.y}, style.colors().panel, 0.3F * em);
    canvas.frame({at.x, at.y, at.x + size.x, at.y + size.y}, style.colors().chosen);
    ImGui::TextUnformatted(style.says(files.empty() ? T::no_recent : T::recent_heading).c_str());
    for (const std::string& file : files) {
        ImGui::PushID(file.c_str());
        const auto slash = file.rfind('/');
        if (ImGui::Button(file.substr(slash == std::string::npos ? 0 : slash + 1).c_str())) clicked = file;
        ImGui::PopID();
        ImGui::SameLine();
        ImGui::TextDisabled("%s", file.substr(0, slash == std::string::npos ? 0 : slash).c_str());
    }
    ImGui::End();
    if (!clicked.empty()) close();
    return clicked;
}

}  // namespace fiberscope::viewer
