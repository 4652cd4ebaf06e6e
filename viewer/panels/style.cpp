#include "viewer/panels/style.h"

namespace fiberscope::viewer {
namespace {

ImVec4 floats(Color c) { return ImGui::ColorConvertU32ToFloat4(packed(c)); }

void apply_colors(ImVec4* colors, const Palette& p) {
    colors[ImGuiCol_WindowBg] = colors[ImGuiCol_ChildBg] = floats(p.background);
    colors[ImGuiCol_PopupBg] = floats(p.panel);
    colors[ImGuiCol_Text] = floats(p.text);
    colors[ImGuiCol_TextDisabled] = floats(p.dim);
    colors[ImGuiCol_Border] = colors[ImGuiCol_Separator] = floats(p.line);
    colors[ImGuiCol_FrameBg] = colors[ImGuiCol_Button] = colors[ImGuiCol_Tab] = floats(p.control);
    colors[ImGuiCol_FrameBgHovered] = colors[ImGuiCol_FrameBgActive] = floats(p.control_hot);
    colors[ImGuiCol_ButtonHovered] = colors[ImGuiCol_ButtonActive] = floats(p.control_hot);
    colors[ImGuiCol_TabHovered] = colors[ImGuiCol_TabActive] = floats(p.control_hot);
    colors[ImGuiCol_Header] = colors[ImGuiCol_HeaderActive] = floats(p.control);
    colors[ImGuiCol_HeaderHovered] = floats(p.text.with_alpha(36));
    colors[ImGuiCol_ScrollbarBg] = floats(p.panel);
    colors[ImGuiCol_ScrollbarGrab] = floats(p.control_hot);
    colors[ImGuiCol_ScrollbarGrabHovered] = colors[ImGuiCol_ScrollbarGrabActive] = floats(p.dim);
    colors[ImGuiCol_SliderGrab] = colors[ImGuiCol_SliderGrabActive] = floats(p.playhead);
}

}  // namespace

void apply_style(const Style& style) {
    ImGuiStyle& out = ImGui::GetStyle();
    out = ImGuiStyle();
    const float em = style.em;
    out.WindowPadding = {0.5F * em, 0.3F * em};
    out.FramePadding = {0.5F * em, 0.28F * em};
    out.ItemSpacing = {0.45F * em, 0.25F * em};
    out.ScrollbarSize = 0.75F * em;
    out.FrameRounding = out.TabRounding = out.GrabRounding = 0.2F * em;
    out.WindowRounding = out.ChildRounding = 0.25F * em;
    out.WindowBorderSize = 0;
    out.GrabMinSize = 0.6F * em;
    apply_colors(out.Colors, style.colors());
}

Metrics metrics_of(const Style& style) {
    ImFont* face = style.fonts.text;  // since newer ImGui bakes glyphs while measuring
    const float em = style.em;
    const auto width = [face, em](std::string_view text) {
        return face->CalcTextSizeA(em, 1e9F, 0, text.data(), text.data() + text.size()).x;
    };
    return {em, width, style.language};
}

}  // namespace fiberscope::viewer
