// The part of the workspace that asks the student what comes next. With several files at once the active one is asked
// about, and the others follow it.
#include "traces/read/printable.h"
#include "traces/words/translated.h"
#include "viewer/panels/widgets.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {

void Workspace::toggle_predict() {
    predict_.toggle();
    overlay_ = false;  // there the files have no lanes of their own to click
}

void Workspace::put_active(std::size_t playhead) {
    Document& active = document();
    const Selection before = active.selection();
    set_playhead(playhead, active.replay(), active.index(), active.selection());
    if (beside_) follow(readable(), active, before, lock_);
    active.sync();
}

void Workspace::go(std::optional<std::size_t> at, std::uint32_t chosen, const std::optional<Range>& visible) {
    Document& active = document();
    if (!active.readable()) return;
    if (at) put_active(std::min(*at, active.replay().size()));
    active.selection().chosen = chosen < active.replay().coroutines() ? chosen : trace::kNone;
    if (visible) active.selection().visible = *visible;
    active.sync();
}

void Workspace::stop_to_ask(std::size_t before) {
    Document& active = document();
    const std::size_t now = active.selection().playhead;
    if (!predict_.on() || now == before) return;
    const std::size_t stop = predict_.stop(active.replay(), active.index(), before, now);
    if (stop != now) put_active(stop);
    if (predict_.asks()) active.playback().playing = false;
}

void Workspace::apply_predicting(Action action) {
    Document& active = document();
    const std::size_t before = active.selection().playhead;
    if (beside_)
        apply_side_by_side(action, readable(), active, lock_);
    else
        active.apply(action);
    if (active.readable()) stop_to_ask(before);
}

void Workspace::advance(double seconds) {
    Document& active = document();
    const std::size_t before = active.selection().playhead;
    if (beside_)
        advance_side_by_side(seconds, readable(), active, lock_);
    else
        active.advance(seconds);
    if (active.readable()) stop_to_ask(before);
}

void Workspace::take_answer(std::uint32_t chosen_before) {
    Document& active = document();
    const std::uint32_t chosen = active.selection().chosen;
    if (!predict_.asks() || predict_.asks_set() || chosen == chosen_before || chosen == trace::kNone) return;
    put_active(predict_.answer(active.replay(), chosen));
    for (const auto& tab : tabs_) tab.document->selection().chosen = trace::kNone;
}

/// A button for each set, above the lanes; the one that is clicked is the answer.
void Workspace::draw_set_answers(Rect area) {
    Document& active = document();
    const float em = style_.em;
    ImGui::SetNextWindowPos({area.x0 + em, area.y1 - 0.2F * em}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({area.width() - 2 * em, 0});
    ImGui::Begin("answers", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    std::optional<std::uint32_t> answer;
    for (const trace::SetNow& set : active.replay().sets()) {
        ImGui::PushID(static_cast<int>(set.index));
        if (button_behind(style_,
                          trace::set_in(trace::printable(active.replay().trace().text(set.name)), style_.language)))
            answer = set.index;
        ImGui::PopID();
    }
    ImGui::End();
    if (answer && predict_.asks_set()) put_active(predict_.answer(active.replay(), *answer));
}

}  // namespace fiberscope::viewer
