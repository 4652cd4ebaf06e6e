#include "viewer/panels/over/source_overlay.h"

#include <algorithm>

#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

void SourceOverlay::show(const Mechanism& mechanism, const std::filesystem::path& trace, Language language) {
    mechanism_ = mechanism;
    language_ = language;
    handout_section_ = section_in(mechanism.section, language);
    const std::filesystem::path labs = find_labs(trace);
    source_ = excerpt_of(labs, mechanism.source, mechanism.line, language);
    section_ = section_of(labs, handout_section_, language);
    handout_ = false;
    open_ = scroll_ = true;
}

void SourceOverlay::draw_lines(const Canvas& canvas, const Style& style) {
    const Excerpt& text = shown();
    const float height = 1.2F * style.em;
    ImGui::BeginChild("text", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    if (scroll_ && text.marked > 0)
        ImGui::SetScrollY(std::max(0.0F, (static_cast<float>(text.marked - text.first) - 4) * height));
    scroll_ = false;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(text.lines.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto n = static_cast<std::size_t>(i);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const std::string number = std::to_string(text.first + n);
            const ImFont* font = handout_ ? style.fonts.text : style.fonts.mono;
            if (text.first + n == text.marked)
                canvas.fill({at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + height},
                            style.colors().playhead.with_alpha(90));
            const Canvas inner(ImGui::GetWindowDrawList(), style);
            inner.text({at.x + 2.6F * style.em - inner.text_width(number), at.y}, number, style.colors().dim);
            const float width = inner.text({at.x + 3.2F * style.em, at.y}, text.lines[n], style.colors().text, font);
            ImGui::Dummy({width + 3.2F * style.em, height - ImGui::GetStyle().ItemSpacing.y});
        }
    clipper.End();
    ImGui::EndChild();
}

std::string SourceOverlay::draw(const Style& style, Rect area) {
    if (!open_) return {};
    std::string said;
    const float em = style.em, width = std::min(area.width() - 4 * em, 76 * em),
                height = std::min(area.height() - 4 * em, 40 * em);
    begin_over("source", style, {area.middle_x() - width / 2, area.middle_y() - height / 2}, width, height);
    if (button(style, style.says(handout_ ? OfferedText::show_source : OfferedText::show_handout))) {
        handout_ = !handout_;
        scroll_ = true;
    }
    if (button_behind(style, style.says(OfferedText::open_editor))) said = edit();
    if (button_behind(style, style.says(OfferedText::close_button))) close();
    const std::string place = title_in(mechanism_.title, style.language) + ":  " +
                              (handout_ ? handout_section_ : std::string(mechanism_.source)) +
                              (shown().marked > 0 ? ":" + std::to_string(shown().marked) : "");
    words_behind(style, place, true);
    if (shown().error.empty())
        draw_lines(Canvas(ImGui::GetWindowDrawList(), style), style);
    else
        paragraph(style, shown().error, style.colors().text);
    ImGui::End();
    return said;
}

}  // namespace fiberscope::viewer
