#include "viewer/layout/base/fitting.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

namespace {

struct Tone {
    Color ground, ink;
};

/// Red denotes broken files and lost data.
Tone tone_of(const Style& style, trace::Condition condition) {
    const Palette& colors = style.colors();
    if (condition == trace::Condition::live) return {colors.live, colors.live_text};
    if (condition == trace::Condition::empty) return {colors.control, colors.text};
    return {colors.warning, colors.warning_text};
}

}  // namespace

void draw_message(const Style& style, Rect area, const std::string& title, const std::string& message,
                  trace::Condition condition) {
    const float em = style.em;
    const Rect inner = begin_panel("message", area, style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const float width = std::min(inner.width(), 60 * em);
    const float text = ImGui::CalcTextSize(message.c_str(), nullptr, false, width - 2 * em).y;
    const float top = inner.y0 + inner.height() / 3;
    const Rect box{inner.middle_x() - width / 2, top, inner.middle_x() + width / 2, top + text + 4.6F * em};
    const Tone tone = tone_of(style, condition);
    const bool live = condition == trace::Condition::live;
    canvas.fill(box, tone.ground, 0.4F * em);
    canvas.text({box.x0 + em, box.y0 + em},
                style.says(live ? mark("Live: waiting for the first events of {0}") : mark("Cannot show {0}"), title),
                tone.ink, style.fonts.large, width - 2 * em);
    ImGui::SetCursorScreenPos({box.x0 + em, box.y0 + 3.4F * em});
    paragraph(style, message, tone.ink, width - 2 * em);
    end_panel();
}

void draw_loading(const Style& style, Rect area, const std::string& title, double share) {
    const float em = style.em;
    const Rect inner = begin_panel("message", area, style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const float width = std::min(inner.width(), 40 * em), top = inner.y0 + inner.height() / 3;
    const Rect bar{inner.middle_x() - width / 2, top + 1.8F * em, inner.middle_x() + width / 2, top + 2.6F * em};
    const std::string words = style.says("Reading {0}: {1} %", title, static_cast<int>(100 * share));
    canvas.text({bar.x0, top}, words, style.colors().text, nullptr, width);
    canvas.fill(bar, style.colors().control, 0.2F * em);
    canvas.fill({bar.x0, bar.y0, bar.x0 + width * static_cast<float>(share), bar.y1}, style.colors().chosen, 0.2F * em);
    end_panel();
}

float draw_banner(const Style& style, Rect area, const std::string& message, trace::Condition condition) {
    constexpr std::size_t kMostLines = 4;
    constexpr float kLine = 1.3F, kAround = 0.4F, kSide = 0.6F;  // em
    if (message.empty()) return area.y0;
    const float em = style.em, room = area.width() - 2 * kSide * em;
    auto lines = wrapped(metrics_of(style), room, room, message, kMostLines);
    if (lines.empty()) lines.push_back(message);
    const float bottom = area.y0 + (kLine * static_cast<float>(lines.size()) + kAround) * em;
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const Tone tone = tone_of(style, condition);
    canvas.fill({area.x0, area.y0, area.x1, bottom}, tone.ground);
    float y = area.y0 + kAround * em;
    for (const std::string& line : lines) {
        canvas.text({area.x0 + kSide * em, y}, line, tone.ink, nullptr, room);
        y += kLine * em;
    }
    return bottom;
}

}  // namespace fiberscope::viewer
