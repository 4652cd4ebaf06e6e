#include <algorithm>
#include <cmath>

#include "viewer/layout/words/sentence.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

constexpr float kWithTime = 28;  // em: a list so wide has room for the times

}  // namespace

void EventList::row(const Scene& scene, std::size_t row, float width, Selection& selection) {
    const auto heads = scene.index.rows();
    const std::size_t n = heads[row], end = row + 1 < heads.size() ? heads[row + 1] : scene.replay.size();
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const trace::Trace& trace = scene.replay.trace();
    const float em = scene.style.em, height = ImGui::GetTextLineHeightWithSpacing();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect r{at.x, at.y, at.x + width, at.y + height};
    ImGui::PushID(static_cast<int>(n));
    if (ImGui::InvisibleButton("event", {width, height})) {
        selection.playhead = end;
        last_playhead_ = end;  // it is in sight already
    }
    ImGui::PopID();
    const bool now = n < selection.playhead && selection.playhead <= end, future = n + 1 > selection.playhead;
    const trace::Event& event = trace[n];
    const bool fault = event.kind == trace::Kind::fault;
    const bool names_chosen =
        selection.chosen != trace::kNone &&
        (event.co == selection.chosen || (event.kind == trace::Kind::switch_ && event.other == selection.chosen));
    if (fault) canvas.fill(r, colors.warning);
    if (ImGui::IsItemHovered()) canvas.fill(r, colors.control_hot);
    if (names_chosen) canvas.fill(r, colors.chosen.with_alpha(38));
    if (now) {
        canvas.fill({r.x0, r.y0, r.x0 + 0.3F * em, r.y1}, colors.playhead);
        canvas.frame(r, colors.playhead, 2);
    }
    EventRow words = event_row(trace, n);
    if (end > n + 1) words.text = links_in_words(trace, n, end - n);
    const float digits = canvas.text_width(std::to_string(trace.size()), scene.style.fonts.text);
    const float time = canvas.text_width(exact_time(scene.index.duration()), scene.style.fonts.text) + 0.4F * em;
    const float y = canvas.text_y(r);
    float x = r.x0 + 0.6F * em;
    canvas.text({x + digits - canvas.text_width(words.number), y}, words.number, colors.dim);
    x += digits + 0.9F * em;
    if (width > kWithTime * em) {
        canvas.text({x + time - canvas.text_width(words.time), y}, words.time, colors.dim);
        x += time + 0.9F * em;
    }
    const Color ink = fault ? colors.warning_text : future ? colors.dim : colors.text;
    const float room = r.x1 - x - 0.3F * em;
    canvas.text({x, y}, words.text, ink, nullptr, room);
    if (ImGui::IsItemHovered() && canvas.text_width(words.text) > room) ImGui::SetTooltip("%s", words.text.c_str());
}

void EventList::draw(const Scene& scene, Rect area, Selection& selection, bool hides_future) {
    const Rect content = begin_panel("events", area, scene.style, "Events");
    ImGui::SetCursorScreenPos({content.x0, content.y0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild("rows", {content.width(), content.height()}, false, ImGuiWindowFlags_NoNav);
    const float height = ImGui::GetTextLineHeightWithSpacing();
    const float width = ImGui::GetContentRegionAvail().x;
    if (last_playhead_ != selection.playhead) {
        last_playhead_ = selection.playhead;
        const auto heads = scene.index.rows();
        const auto place = std::lower_bound(heads.begin(), heads.end(), selection.playhead) - heads.begin();
        const float row_y = height * static_cast<float>(std::max<std::ptrdiff_t>(0, place - 1));
        const float top = ImGui::GetScrollY(), room = ImGui::GetWindowHeight();
        if (row_y < top || row_y + height > top + room)
            ImGui::SetScrollY(std::max(0.0F, height * std::floor((row_y - room / 2) / height)));  // whole rows
    }
    ImGuiListClipper clipper;
    const auto all = scene.index.rows();
    const auto shown = hides_future ? std::lower_bound(all.begin(), all.end(), selection.playhead) : all.end();
    clipper.Begin(static_cast<int>(shown - all.begin()), height);
    while (clipper.Step())
        for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n)
            row(scene, static_cast<std::size_t>(n), width, selection);
    clipper.End();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    end_panel();
}

}  // namespace fiberscope::viewer
