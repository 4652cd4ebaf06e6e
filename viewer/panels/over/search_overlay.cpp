#include "viewer/panels/over/search_overlay.h"

#include <algorithm>

#include "viewer/model/playback.h"
#include "viewer/model/search.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostNames = 6;

}  // namespace

void SearchOverlay::go(const Scene& scene, Selection& selection, bool forward) {
    const std::string_view what(text_.data());
    const std::size_t from = selection.playhead == 0 ? scene.replay.size() - 1 : selection.playhead - 1;
    const auto found =
        what.empty() ? std::nullopt : find_event(scene.replay.trace(), what, from, forward, scene.style.language);
    answer_ = found ? scene.style.says("event {0}", *found + 1) : scene.style.says("no event says so");
    if (found) set_playhead(*found + 1, scene.replay, scene.index, selection);
    focus_ = true;
}

void SearchOverlay::names(const Scene& scene, Selection& selection) {
    const std::string_view what(text_.data());
    if (what.empty())
        return paragraph(scene.style, scene.style.says("coroutines and events, by any word of them"),
                         scene.style.colors().dim);
    const auto found = find_coroutines(scene.replay.trace(), what, kMostNames);
    for (const std::uint32_t co : found) {
        ImGui::PushID(static_cast<int>(co));
        if (button_behind(scene.style, scene.replay.trace().name(co))) selection.chosen = co;
        ImGui::PopID();
    }
    words_behind(scene.style,
                 answer_.empty() ? scene.style.says("Enter: the next event, Shift Enter: the one before") : answer_,
                 true);
}

void SearchOverlay::draw(const Scene& scene, Rect area, Selection& selection) {
    if (!open_) return;
    const float em = scene.style.em, width = std::min(area.width() - 3 * em, 46 * em);
    begin_over("search", scene.style, {area.middle_x() - width / 2, area.y0 + em}, width);
    if (focus_) ImGui::SetKeyboardFocusHere();
    focus_ = false;
    if (field(scene.style, "##what", "", text_)) go(scene, selection, !ImGui::GetIO().KeyShift);
    if (ImGui::IsItemEdited()) answer_.clear();
    names(scene, selection);
    ImGui::End();
}

}  // namespace fiberscope::viewer
