#include "viewer/panels/over/strip.h"

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kStripMostLines = 4;
constexpr float kStripLine = 1.3F, kAround = 0.5F, kSide = 0.8F;  // in em

std::vector<std::string> lines_of(const Style& style, float width, const std::string& text) {
    const float room = width - 2 * kSide * style.em;
    auto lines = wrapped(metrics_of(style), room, room, text, kStripMostLines);
    if (lines.empty() && !text.empty()) lines.push_back(text);
    return lines;
}

float strip_height(const Style& style, float width, const std::string& text) {
    if (text.empty()) return 0;
    return style.em * (kStripLine * static_cast<float>(lines_of(style, width, text).size()) + kAround);
}

void draw_strip(const Style& style, Rect area, const std::string& text) {
    if (area.empty()) return;
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const float em = style.em;
    canvas.fill(area, style.colors().control);
    canvas.fill({area.x0, area.y0, area.x0 + 0.35F * em, area.y1}, style.colors().playhead);
    float y = area.y0 + kAround * em / 2;
    for (const std::string& line : lines_of(style, area.width(), text)) {
        canvas.text({area.x0 + kSide * em, y}, line, style.colors().text, nullptr, area.width() - kSide * em);
        y += kStripLine * em;
    }
}

}  // namespace

float draw_strips(const Style& style, Rect area, std::span<const std::string> texts,
                  std::optional<std::size_t>* clicked) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool clicks = clicked != nullptr && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Rect strip{area.x0, area.y0, area.x1, area.y0 + strip_height(style, area.width(), texts[i])};
        draw_strip(style, strip, texts[i]);
        if (clicks && strip.contains({mouse.x, mouse.y})) *clicked = i;
        area.y0 = strip.y1;
    }
    return area.y0;
}

}  // namespace fiberscope::viewer
