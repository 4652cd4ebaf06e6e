#include "viewer/panels/over/recent_overlay.h"

#include <algorithm>

#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// The folder, without its first ones where there is no room for all.
std::string folder_in(const Style& style, std::string folder, float room) {
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    if (canvas.text_width(folder) <= room) return folder;
    for (auto slash = folder.find('/', 1); slash != std::string::npos; slash = folder.find('/', slash + 1))
        if (std::string rest = "…" + folder.substr(slash); canvas.text_width(rest) <= room) return rest;
    return {};
}

}  // namespace

std::string RecentOverlay::draw(const Style& style, Rect area, const std::vector<std::string>& files) {
    if (!open_) return {};
    std::string clicked;
    const float em = style.em, width = std::min(area.width() - 3 * em, 56 * em);
    begin_over("recent", style, {area.middle_x() - width / 2, area.y0 + 3 * em}, width);
    words(style, style.says(files.empty() ? mark("No file was opened before.") : mark("Opened last:")));
    for (const std::string& file : files) {
        const auto slash = file.rfind('/'), name = slash == std::string::npos ? 0 : slash + 1;
        if (button(style, file.substr(name) + "##" + file)) clicked = file;
        ImGui::SameLine();
        words(style, folder_in(style, file.substr(0, name == 0 ? 0 : slash), ImGui::GetContentRegionAvail().x), true);
    }
    ImGui::End();
    if (!clicked.empty()) close();
    return clicked;
}

}  // namespace fiberscope::viewer
