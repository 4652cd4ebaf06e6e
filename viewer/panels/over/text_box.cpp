#include "viewer/panels/over/text_box.h"

#include <utility>

#include "viewer/layout/base/fitting.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// Whether a line may be broken after the text: it ends with a space or a Chinese character.
bool may_break_behind(std::string_view text) noexcept {
    if (text.ends_with(' ')) return true;
    constexpr std::size_t kBytes = 3;  // UTF-8 length of such a character
    constexpr unsigned char kFirst = 0xE3, kLast = 0xEF;
    if (text.size() < kBytes) return false;
    const auto lead = static_cast<unsigned char>(text[text.size() - kBytes]);
    return lead >= kFirst && lead <= kLast;
}

/// Maximum length in bytes of a line of at most `most` bytes; 0 if there is no break opportunity.
std::size_t break_before(std::string_view text, std::size_t most) {
    while (most > 0 && !may_break_behind(text.substr(0, most))) --most;
    return most;
}

int grow(ImGuiInputTextCallbackData* data) {
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
}

}  // namespace

std::string broken_softly(const Metrics& metrics, float width, std::string_view text) {
    std::string out;
    while (metrics.width(text) > width) {
        const std::size_t end = break_before(text, fitting_length(metrics, width, text));
        if (end == 0 || end >= text.size()) break;
        out.append(text.substr(0, end)) += '\n';
        text.remove_prefix(end);
    }
    return out.append(text);
}

std::string joined(std::string_view broken) {
    std::string out;
    for (const char c : broken) {
        if (c != '\n')
            out += c;
        else if (!may_break_behind(out))
            out += ' ';
    }
    return out;
}

bool TextBox::draw(const Style& style, const char* id, const std::string& label, int lines, std::string& text) {
    words(style, label, true);
    const float room = ImGui::GetContentRegionAvail().x;
    const float around = 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ScrollbarSize;
    if (!active_) shown_ = broken_softly(metrics_of(style), room - around, text);
    if (std::exchange(focus_, false)) focus_next_item();
    const float height = static_cast<float>(lines) * ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().FramePadding.y;
    const bool typed = ImGui::InputTextMultiline(id, shown_.data(), shown_.capacity() + 1, {room, height},
                                                 ImGuiInputTextFlags_CallbackResize, grow, &shown_);
    active_ = ImGui::IsItemActive();
    // Esc leaves the field and would revert its text.
    const bool left = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
    if (!typed || left) return false;
    text = joined(shown_);
    return true;
}

}  // namespace fiberscope::viewer
