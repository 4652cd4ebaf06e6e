#include "viewer/panels/over/predicting.h"

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

void Predicting::toggle() {
    predict_.toggle();
    for (int tries = 0; tries < 2 && predict_.on() && !predict_.asks(); ++tries)  // the last question is skipped
        apply(Action::next_decision);
}

bool Predicting::ask_once(bool set) {
    const Document& active = state_.files.document();
    return predict_.ask_once(active.replay(), active.index(), active.selection().playhead, set);
}

std::string Predicting::words() const { return predict_.words(state_.files.document().replay(), style_.language); }

std::size_t Predicting::playhead() const { return state_.files.document().selection().playhead; }

void Predicting::stop_to_ask(std::size_t before) {
    Document& active = state_.files.document();
    if (!active.readable()) return;
    const std::size_t now = active.selection().playhead;
    if (!predict_.on() || now == before) return;
    const std::size_t stop = predict_.stop(active.replay(), active.index(), before, now);
    if (stop != now) state_.files.put(stop);
    if (predict_.asks()) active.playback().playing = false;
}

void Predicting::apply(Action action) {
    const std::size_t before = playhead();
    state_.files.apply(action);
    stop_to_ask(before);
}

void Predicting::advance(double seconds) {
    const std::size_t before = playhead();
    state_.files.advance(seconds);
    stop_to_ask(before);
}

void Predicting::take_answer(std::uint32_t chosen_before) {
    const Document& active = state_.files.document();
    const std::uint32_t chosen = active.selection().chosen;
    if (!predict_.asks() || predict_.asks_set() || chosen == chosen_before || chosen == trace::kNone) return;
    state_.files.put(predict_.answer(active.replay(), chosen));
    for (const auto& tab : state_.files.tabs()) tab.document->selection().chosen = trace::kNone;
}

void Predicting::draw_set_answers(Rect area) {
    if (!predict_.asks_set()) return;
    Document& active = state_.files.document();
    const float em = style_.em;
    ImGui::SetNextWindowPos({area.x0 + em, area.y1 - 0.2F * em}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({area.width() - 2 * em, 0});
    ImGui::Begin("answers", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    std::optional<std::uint32_t> answer;
    const trace::Trace& trace = active.replay().trace();
    for (std::uint32_t set = 0; set < trace.sets(); ++set) {  // also those that are declared later
        ImGui::PushID(static_cast<int>(set));
        if (button_behind(style_, trace::set_in(trace.set_name(set), style_.language))) answer = set;
        ImGui::PopID();
    }
    ImGui::End();
    if (answer) state_.files.put(predict_.answer(active.replay(), *answer));
}

}  // namespace fiberscope::viewer
