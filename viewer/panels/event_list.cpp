#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

constexpr float kWithTime = 28;          // em: minimum width of a list with times
constexpr float kHigh = 4.8F;            // em: minimum height of a list with two lines per sentence
constexpr float kEventListLine = 1.15F;  // em

struct Columns {
    float digits, time, text;  ///< widths of number and time; beginning of the sentence
};
Columns columns_of(const Scene& scene, const Canvas& canvas, float width) {
    const float em = scene.style.em;
    Columns out{canvas.text_width(std::to_string(scene.replay.trace().size())), 0, 0};
    if (width > kWithTime * em) out.time = canvas.text_width(exact_time(scene.index.duration())) + 0.4F * em;
    out.text = 0.6F * em + out.digits + 0.9F * em + (out.time > 0 ? out.time + 0.9F * em : 0);
    return out;
}

/// The sentence of a row; consecutive link writes share one.
EventRow words_of(const Scene& scene, std::size_t row) {
    const auto heads = scene.index.rows();
    const std::size_t n = heads[row], end = row + 1 < heads.size() ? heads[row + 1] : scene.replay.size();
    EventRow words = event_row(scene.replay.trace(), n, scene.style.language);
    if (end > n + 1) words.text = links_in_words(scene.replay.trace(), n, end - n, scene.style.language);
    return words;
}

/// Two if any sentence is too long for one line, else one. Measures a sample of a long list.
std::size_t lines_for(const Scene& scene, float room) {
    constexpr std::size_t kLookedAt = 1000;
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const std::size_t rows = scene.index.rows().size(), step = std::max<std::size_t>(1, rows / kLookedAt);
    for (std::size_t row = 0; row < rows; row += step)
        if (canvas.text_width(words_of(scene, row).text) > room) return 2;
    return 1;
}

/// Draws the background of the events [n, end): a fault, the mouse, the chosen coroutine, the playhead.
void draw_ground(const Scene& scene, const Canvas& canvas, Rect r, std::size_t n, std::size_t end,
                 const Selection& selection) {
    const Palette& colors = scene.style.colors();
    const trace::Event event = scene.replay.trace()[n];
    const bool names_chosen =
        selection.chosen != trace::kNone &&
        (event.co == selection.chosen || (event.kind == trace::Kind::switch_ && event.other == selection.chosen));
    if (event.kind == trace::Kind::fault) canvas.fill(r, colors.warning);
    if (ImGui::IsItemHovered()) canvas.fill(r, colors.control_hot);
    if (names_chosen) canvas.fill(r, colors.chosen.with_alpha(38));
    if (n >= selection.playhead || selection.playhead > end) return;
    canvas.fill({r.x0, r.y0, r.x0 + 0.3F * scene.style.em, r.y1}, colors.playhead);
    canvas.frame(r, colors.playhead, 2);
}

}  // namespace

/// Wraps a sentence into the lines of a row, dropping its last clauses if it does not fit.
std::vector<std::string> EventList::fitting_lines(const Scene& scene, float room, const std::string& words) const {
    const Metrics metrics = metrics_of(scene.style);
    const auto lines = wrapped(metrics, room, room, words, lines_);
    if (!lines.empty()) return lines;
    for (const bool any : {false, true})
        if (const std::string part = fitting_sentence(metrics, room, words, any); !part.empty()) return {part};
    return {words};
}

void EventList::row(const Scene& scene, std::size_t row, float width, Selection& selection) {
    const auto heads = scene.index.rows();
    const std::size_t n = heads[row], end = row + 1 < heads.size() ? heads[row + 1] : scene.replay.size();
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em, line = kEventListLine * em, height = row_height_;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect r{at.x, at.y, at.x + width, at.y + height};
    ImGui::PushID(static_cast<int>(n));
    if (ImGui::InvisibleButton("event", {width, height})) {
        selection.playhead = end;
        last_playhead_ = end;  // already visible
    }
    ImGui::PopID();
    draw_ground(scene, canvas, r, n, end, selection);
    const EventRow words = words_of(scene, row);
    const Columns columns = columns_of(scene, canvas, width);
    const float x = r.x0 + columns.text, room = r.x1 - x - 0.3F * em;
    const auto sentence = fitting_lines(scene, room, words.text);
    const float y = std::round(r.middle_y() - line * static_cast<float>(sentence.size()) / 2 + 0.05F * em);
    const float number_x = r.x0 + 0.6F * em + columns.digits;
    canvas.text({number_x - canvas.text_width(words.number), y}, words.number, colors.dim);
    if (columns.time > 0) canvas.text({x - 0.9F * em - canvas.text_width(words.time), y}, words.time, colors.dim);
    const bool fault = scene.replay.trace().kind(n) == trace::Kind::fault, future = n + 1 > selection.playhead;
    const Color ink = fault ? colors.warning_text : future ? colors.dim : colors.text;
    for (std::size_t i = 0; i < sentence.size(); ++i)
        canvas.text({x, y + line * static_cast<float>(i)}, sentence[i], ink, nullptr, room);
    const bool whole = sentence.size() > 1 || sentence.front() == words.text;
    if (ImGui::IsItemHovered() && !whole) ImGui::SetTooltip("%s", words.text.c_str());
}

void EventList::measure(const Scene& scene, Rect content) {
    const float em = scene.style.em;
    if (measured_ != content.width() || rows_ != scene.index.rows().size()) {
        measured_ = content.width();
        rows_ = scene.index.rows().size();
        const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
        const float width = content.width() - ImGui::GetStyle().ScrollbarSize;
        needed_ = lines_for(scene, width - columns_of(scene, canvas, width).text - 0.3F * em);
    }
    lines_ = content.height() < kHigh * em ? 1 : needed_;
    row_height_ = std::round((kEventListLine * static_cast<float>(lines_) + 0.15F) * em);
}

void EventList::scroll_to_playhead(const Scene& scene, std::size_t playhead) {
    const float height = row_height_;
    const bool anew = std::exchange(last_height_, height) != height;  // the rows have moved then
    if (last_playhead_ != playhead || anew) {
        last_playhead_ = playhead;
        const auto heads = scene.index.rows();
        const auto place = std::lower_bound(heads.begin(), heads.end(), playhead) - heads.begin();
        const float row_y = height * static_cast<float>(std::max<std::ptrdiff_t>(0, place - 1));
        const float top = anew ? 0 : ImGui::GetScrollY(), room = ImGui::GetWindowHeight();
        if (anew) ImGui::SetScrollY(0);
        if (row_y < top || row_y + height > top + room)
            ImGui::SetScrollY(std::max(0.0F, height * std::floor((row_y - room / 2) / height)));  // whole rows
    }
    const float at_row = height * std::floor(ImGui::GetScrollY() / height);
    if (!anew && at_row != ImGui::GetScrollY() && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) ImGui::SetScrollY(at_row);
}

void EventList::draw(const Scene& scene, Rect area, Selection& selection, bool hides_future) {
    const Rect content = begin_panel("events", area, scene.style, scene.style.says("Events"));
    ImGui::SetCursorScreenPos({content.x0, content.y0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    measure(scene, content);
    const float height = row_height_;
    const float whole_rows = height * std::max(1.0F, std::floor(content.height() / height));  // whole rows only
    ImGui::BeginChild("rows", {content.width(), whole_rows}, false, ImGuiWindowFlags_NoNav);
    const float width = ImGui::GetContentRegionAvail().x;
    scroll_to_playhead(scene, selection.playhead);
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
