#include "viewer/panels/over/source_overlay.h"

#include <algorithm>

#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// Removes Markdown code marks from the lines of a handout. Returns which lines are in a block of code.
std::vector<bool> remove_backticks(std::vector<std::string>& lines) {
    std::vector<bool> code;
    bool inside = false;
    for (std::string& line : lines) {
        const bool fence = line.starts_with("```");
        inside = inside != fence;
        code.push_back(inside);
        if (fence)
            line.clear();
        else if (!inside)
            std::erase(line, '`');
    }
    return code;
}

}  // namespace

void SourceOverlay::show(const std::vector<SourceWish>& wishes, Language language) {
    parts_.clear();
    for (const SourceWish& wish : wishes) {
        const std::filesystem::path labs = find_labs(wish.trace.file);
        const RanFile ran = file_that_ran(labs, wish.trace.head, wish.mechanism.source);
        Part part{title_of(wish.mechanism, language),
                  wish.run,
                  ran.path,
                  handout_in(wish.mechanism, language),
                  ran.stands_in,
                  {},
                  {},
                  {}};
        const std::string inside = ran.stands_in ? std::string() : wish.mechanism.inside;
        part.source = excerpt_of(labs, ran.path, wish.mechanism.line, inside, language);
        part.section = section_of(labs, part.section_path, wish.mechanism.step, language);
        part.code = remove_backticks(part.section.lines);
        const bool same = !parts_.empty() && parts_[0].source_path == part.source_path &&
                          parts_[0].source.marked == part.source.marked;
        if (same)
            parts_[0].run = parts_[0].run + say(language, mark(", ", "list")) + part.run;
        else
            parts_.push_back(std::move(part));
    }
    const auto only_handout = [](const Part& part) { return !part.source.error.empty() && part.section.error.empty(); };
    handout_ = !parts_.empty() && std::all_of(parts_.begin(), parts_.end(), only_handout);
    open_ = scroll_ = !parts_.empty();
}

/// "mixed: step N.N:  labs/…/solution/….cpp:31".
std::string SourceOverlay::place_of(const Part& part, const Style& style) const {
    const Excerpt& text = handout_ ? part.section : part.source;
    std::string place = part.run.empty() ? part.title : part.run + style.says(": {0}", part.title);
    place += ":  " + (handout_ ? part.section_path : part.source_path) +
             (text.marked > 0 ? ":" + std::to_string(text.marked) : "");
    if (part.stands_in && !handout_)
        place += "  " + style.says("(the reference was used; this tree has only your own file)");
    return place;
}

void SourceOverlay::draw_lines(const Canvas& canvas, const Style& style, std::size_t part, float room) {
    const Excerpt& text = shown(part);
    const float height = 1.2F * style.em;
    ImGui::BeginChild(("text" + std::to_string(part)).c_str(), {0, room}, false, ImGuiWindowFlags_HorizontalScrollbar);
    if (scroll_ && text.marked > 0)
        ImGui::SetScrollY(std::max(0.0F, (static_cast<float>(text.marked - text.first) - 4) * height));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(text.lines.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto n = static_cast<std::size_t>(i);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const std::string number = std::to_string(text.first + n);
            const ImFont* font = handout_ && !parts_[part].code[n] ? style.fonts.text : style.fonts.mono;
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

void SourceOverlay::draw(const Style& style, Rect area) {
    if (!open_) return;
    const float em = style.em, width = std::min(area.width() - 4 * em, 76 * em),
                height = std::min(area.height() - 4 * em, 40 * em);
    begin_over("source", style, {area.middle_x() - width / 2, area.middle_y() - height / 2}, width, height);
    if (button(style, style.says(handout_ ? mark("show the source") : mark("show the handout")))) {
        handout_ = !handout_;
        scroll_ = true;
    }
    if (button_behind(style, style.says("close (Esc)"))) close();
    words_behind(style, place_of(parts_[0], style), true);
    const float room = ImGui::GetContentRegionAvail().y / static_cast<float>(parts_.size());
    for (std::size_t i = 0; i < parts_.size() && open_; ++i) {
        if (i > 0) paragraph(style, place_of(parts_[i], style), style.colors().dim);
        const bool last = i + 1 == parts_.size();
        if (shown(i).error.empty())
            draw_lines(Canvas(ImGui::GetWindowDrawList(), style), style, i, last ? 0 : room - 0.5F * em);
        else
            paragraph(style, shown(i).error, style.colors().text);
    }
    scroll_ = false;
    ImGui::End();
}

}  // namespace fiberscope::viewer
