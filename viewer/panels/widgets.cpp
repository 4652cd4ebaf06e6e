#include "viewer/panels/widgets.h"

#include <imgui_internal.h>

#include <algorithm>

namespace fiberscope::viewer {
namespace {

std::string shown_part(const std::string& label) { return label.substr(0, label.find("##")); }

Rect item() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x, high.y};
}

/// Records `text` at `x`, vertically centred in `r`; it is cut if it is wider than `room`.
void note_in(const Style& style, Rect r, float x, const std::string& text, float room) {
    if (style.written == nullptr || text.empty()) return;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    note_written(style, {x, r.middle_y() - size.y / 2, x + size.x, r.middle_y() + size.y / 2}, text, size.x > room + 1);
}

void note_middle(const Style& style, const std::string& label) {
    const Rect r = item();
    const std::string text = shown_part(label);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    note_in(style, r, r.middle_x() - width / 2, text, r.width());
}

/// Continues the line if an item `width` pixels wide fits.
void go_on(float width) {
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

constexpr int kNoFrame = -1000;

/// The frame of the last request for the keyboard focus.
int& focus_request() {
    static int frame = kNoFrame;
    return frame;
}

float button_width(const std::string& label) {
    return ImGui::CalcTextSize(shown_part(label).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace

bool clicked(Rect r) {
    return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1}) &&
           ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

bool button(const Style& style, const std::string& label) { return button(style, label, {0, 0}); }

bool button(const Style& style, const std::string& label, ImVec2 size) {
    const bool pressed = ImGui::Button(label.c_str(), size);
    note_middle(style, label);
    return pressed;
}

bool button_behind(const Style& style, const std::string& label) {
    go_on(button_width(label));
    return button(style, label);
}

bool checkbox(const Style& style, const std::string& label, bool& value) {
    const bool pressed = ImGui::Checkbox(label.c_str(), &value);
    const Rect r = item();
    note_in(style, r, r.x0 + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x, label, r.width());
    return pressed;
}

bool checkbox_behind(const Style& style, const std::string& label, bool& value) {
    go_on(button_width(label) + ImGui::GetFrameHeight());
    return checkbox(style, label, value);
}

void words(const Style& style, const std::string& text, bool dim) {
    if (dim) ImGui::PushStyleColor(ImGuiCol_Text, packed(style.colors().dim));
    ImGui::TextUnformatted(text.c_str());
    if (dim) ImGui::PopStyleColor();
    const Rect r = item();
    note_in(style, r, r.x0, text, r.width());
}

void words_behind(const Style& style, const std::string& text, bool dim) {
    go_on(ImGui::CalcTextSize(text.c_str()).x);
    words(style, text, dim);
}

void paragraph(const Style& style, const std::string& text, Color color, float width) {
    ImGui::PushStyleColor(ImGuiCol_Text, packed(color));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + (width > 0 ? width : ImGui::GetContentRegionAvail().x));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    if (!text.empty()) note_written(style, item(), text, false);
}

void choice_of(const Style& style, const std::string& label, int& chosen, const std::vector<std::string>& all,
               float width) {
    std::string joined;
    for (const std::string& one : all) joined += one + '\0';
    ImGui::SetNextItemWidth(width);
    ImGui::Combo(label.c_str(), &chosen, (joined + '\0').c_str());
    const Rect r = item();
    const ImVec2 around = ImGui::GetStyle().FramePadding;
    if (chosen >= 0 && static_cast<std::size_t>(chosen) < all.size())
        note_in(style, r, r.x0 + around.x, all[static_cast<std::size_t>(chosen)],
                width - ImGui::GetFrameHeight() - around.x);
    note_in(style, r, r.x0 + width + ImGui::GetStyle().ItemInnerSpacing.x, shown_part(label), r.width());
}

bool field(const Style& style, const char* id, const std::string& hint, std::array<char, 128>& text) {
    ImGui::SetNextItemWidth(-1);
    const bool entered =
        ImGui::InputTextWithHint(id, hint.c_str(), text.data(), text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    const Rect r = item();
    const float around = ImGui::GetStyle().FramePadding.x;
    if (text[0] == 0) note_in(style, r, r.x0 + around, hint, r.width() - 2 * around);
    return entered;
}

void focus_next_item() {
    focus_request() = ImGui::GetFrameCount();
    ImGui::SetWindowFocus();  // 1.90 drops the request if no window has the focus
    ImGui::SetKeyboardFocusHere();
}

bool takes_text() { return ImGui::GetIO().WantTextInput || ImGui::GetCurrentContext()->WantTextInputNextFrame > 0; }

bool awaits_focus() {
    constexpr int kFrames = 4;  // ImGui requests the keyboard in one, gets it in the next, and then takes text
    return ImGui::GetFrameCount() - focus_request() < kFrames && !takes_text();
}

void forget_focus() { focus_request() = kNoFrame; }

bool input_is_queued() {
#if IMGUI_VERSION_NUM < 18700
    return false;
#else
    const ImGuiContext* context = ImGui::GetCurrentContext();
    return context != nullptr && !context->InputEventsQueue.empty();
#endif
}

bool key_pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM < 18700
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
#else
    return ImGui::IsKeyPressed(key);
#endif
}

void tooltip_of(const Style& style, const KeyBinding& row) {
    const ImGuiIO& io = ImGui::GetIO();  // after a click, or the tap of a finger, it would cover the result
    if (io.MousePos.x == io.MouseClickedPos[0].x && io.MousePos.y == io.MouseClickedPos[0].y) return;
    ImGui::SetTooltip("%s  (%.*s)", style.says(row.help).c_str(), static_cast<int>(row.label.size()), row.label.data());
}

bool value_field(const Style& style, const std::string& id, std::string& text, float width) {
    std::array<char, 256> typed{};
    std::copy_n(text.begin(), std::min(text.size(), typed.size() - 1), typed.begin());
    ImGui::SetNextItemWidth(width);
    if (ImGui::InputText(id.c_str(), typed.data(), typed.size())) text = typed.data();
    const Rect r = item();
    const float around = ImGui::GetStyle().FramePadding.x;
    if (!ImGui::IsItemActive()) note_in(style, r, r.x0 + around, text, r.width() - 2 * around);
    return ImGui::IsItemDeactivatedAfterEdit();
}

void begin_over(const char* id, const Style& style, Point at, float width, float height) {
    const float side = ImGui::GetStyle().WindowPadding.x;
    ImGui::SetNextWindowPos({at.x, at.y});
    ImGui::SetNextWindowSize({width + 2 * side, height});
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const Rect r{low.x, low.y, low.x + size.x, low.y + size.y};
    canvas.fill(r, style.colors().panel, 0.3F * style.em);
    canvas.frame(r, style.colors().chosen);
}

float Dock::height(float em) const noexcept {
    constexpr float kLeastDock = 3;
    return std::max(height_, kLeastDock * em);
}

void Dock::take_top(Rect& area, float em) {
    room_ = {area.x0, area.y0, area.x1, std::min(area.y1, area.y0 + height(em))};
    area.y0 = room_.y1;
}

void Dock::take_bottom(Rect& area, float em) {
    room_ = {area.x0, std::max(area.y0, area.y1 - height(em)), area.x1, area.y1};
    area.y1 = room_.y0;
}

void Dock::begin(const char* id, const Style& style) const {
    begin_over(id, style, {room_.x0, room_.y0}, room_.width() - 2 * ImGui::GetStyle().WindowPadding.x);
}

void Dock::end() {
    height_ = std::max(height_, ImGui::GetWindowSize().y);
    ImGui::End();
}

}  // namespace fiberscope::viewer
