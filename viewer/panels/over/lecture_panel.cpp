#include "viewer/panels/over/lecture_panel.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kPanelWidth = 27, kLeastBeside = 45, kNoteHeight = 22;  // em
constexpr float kBelow = 0.5F;                                          // of a narrow window's height

/// Removes control characters, which would break the field.
std::string in_field(trace::Foreign text) { return trace::printable(text); }

bool beyond_ascii(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

/// The computed answer to the question of a note.
std::string answer_in_words(const Document& document, const trace::Note& note, const Style& style) {
    const trace::Replay& replay = document.replay();
    const bool set = note.answer == trace::Answer::set;
    const auto event = question_at(replay, document.index(), note.event, set);
    if (!event)
        return style.says(set ? mark("No coroutine enters a set after this event.")
                              : mark("No coroutine runs next: the recording ends."));
    const std::string right = right_answer(replay.trace(), *event, set, style.language);
    return style.says("The answer is {0} (event {1}).", right, *event + 1);
}

}  // namespace

Rect LecturePanel::take_room(Rect& area) const {
    if (!state_.lecture || !player_.document().readable()) return {};
    Rect room = area;
    if (area.width() > (kPanelWidth + kLeastBeside) * style_.em)
        area.x1 = room.x0 = area.x1 - kPanelWidth * style_.em;
    else
        area.y1 = room.y0 = area.y1 - kBelow * area.height();
    return room;
}

void LecturePanel::draw_head(Lecture& lecture) {
    const std::string file = trace::printable(lecture.file().filename().string());
    words(style_, lecture.changed() ? style_.says("{0}: not saved", file) : file);
    if (button(style_, style_.says("add a note (Shift N)"))) player_.apply(Action::record_note);
    if (button_behind(style_, style_.says("step through (Shift P)"))) player_.apply(Action::play_lecture);
    if (button_behind(style_, style_.says("save (Ctrl Enter)"))) player_.apply(Action::save_lecture);
    if (button_behind(style_, style_.says("undo (Ctrl Z)"))) player_.apply(Action::undo_note);
    if (button_behind(style_, style_.says("close"))) state_.lecture = false;
}

void LecturePanel::draw_row(const Lecture& lecture, std::size_t n, bool now) {
    const trace::Note& note = lecture[n];
    ImGui::PushID(static_cast<int>(n));
    const float height = ImGui::GetTextLineHeightWithSpacing();
    if (ImGui::Selectable("##note", now, 0, {0, height})) player_.tell(n);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const Canvas canvas(ImGui::GetWindowDrawList(), style_);
    const Rect r{low.x, low.y, high.x, high.y};
    const trace::Foreign shown = note.question.empty() ? note.text : note.question;
    const std::string said = shown.empty() ? std::string(note.says.bytes()) : trace::printable(shown);
    const std::string words = style_.says("{0}. event {1}: {2}", n + 1, note.event, said);
    canvas.text({r.x0 + 0.3F * style_.em, canvas.text_y(r)}, words, style_.colors().text, nullptr,
                r.width() - 0.6F * style_.em);
    ImGui::PopID();
}

void LecturePanel::draw_list(Lecture& lecture, std::optional<std::size_t> now, float height) {
    ImGui::BeginChild("notes", {0, height});
    for (std::size_t n = 0; n < lecture.size(); ++n) draw_row(lecture, n, now == n);
    if (lecture.size() == 0)
        paragraph(style_, style_.says("Go to a place, zoom, choose; Shift N adds a note."), style_.colors().dim);
    ImGui::EndChild();
}

void LecturePanel::draw_deeds(Lecture& lecture, std::size_t n) {
    if (button(style_, style_.says("up"))) lecture.move(n, -1);
    if (button_behind(style_, style_.says("down"))) lecture.move(n, 1);
    if (button_behind(style_, style_.says("move it here"))) player_.put_here(n);
    if (button_behind(style_, style_.says("delete"))) {
        lecture.remove(n);
        if (lecture.size() > 0) player_.tell(std::min(n, lecture.size() - 1));
    }
}

bool LecturePanel::draw_note(Lecture& lecture, std::size_t n) {
    trace::Note note = lecture[n];
    const std::string place = trace::printable(note.place);
    paragraph(style_, style_.says("Note {0}, {1}", n + 1, place.empty() ? trace::printable(note.says) : place),
              style_.colors().dim);
    std::string question = in_field(note.question), text = in_field(note.text);
    bool typed = text_.draw(style_, "##text", style_.says("Text"), 5, text);
    if (typed) note.text = trace::ForeignText(text);
    if (question_.draw(style_, "##question", style_.says("Question before it, if any"), 3, question)) {
        note.question = trace::ForeignText(question);
        typed = true;
    }
    int answer = static_cast<int>(note.answer);
    const std::vector<std::string> answers{style_.says("aloud"), style_.says("which runs next"),
                                           style_.says("into which set")};
    if (!note.question.empty()) choice_of(style_, style_.says("is the answer"), answer, answers, 12 * style_.em);
    const bool chosen = answer != static_cast<int>(note.answer);
    note.answer = static_cast<trace::Answer>(answer);
    if (typed || chosen) lecture.set(n, std::move(note));
    if (chosen) player_.go_to_question(n);
    if (!lecture[n].question.empty() && lecture[n].answer != trace::Answer::aloud)
        paragraph(style_, answer_in_words(player_.document(), lecture[n], style_), style_.colors().text);
    return typed && beyond_ascii(question + text);
}

bool LecturePanel::draw(Rect area) {
    if (area.empty()) return false;
    Document& document = player_.document();
    Lecture& lecture = document.lecture();
    const float em = style_.em, side = ImGui::GetStyle().WindowPadding.x;
    begin_over("lecture", style_, {area.x0, area.y0}, area.width() - 2 * side, area.height());
    bool typed = false;
    if (lecture.error().empty()) {
        draw_head(lecture);
        std::string title = in_field(lecture.notes().title);
        if (title_.draw(style_, "##title", style_.says("Title"), 1, title))
            typed = lecture.set_title(title) && beyond_ascii(title);
        const auto now = lecture.here(document.selection().playhead);
        const float left = ImGui::GetContentRegionAvail().y;
        draw_list(lecture, now, std::max(3 * em, now ? left - kNoteHeight * em : left));
        if (player_.take_recorded()) text_.focus();
        if (now && *now < lecture.size()) draw_deeds(lecture, *now);
        const auto still = lecture.here(document.selection().playhead);
        if (still) typed = draw_note(lecture, *still) || typed;
    } else {
        paragraph(style_, formatted(lecture.error(), style_.language), style_.colors().text);
    }
    ImGui::End();
    return typed;
}

}  // namespace fiberscope::viewer
