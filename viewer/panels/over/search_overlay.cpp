#include "viewer/panels/over/search_overlay.h"

#include <algorithm>

#include "viewer/model/playback.h"
#include "viewer/model/search.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostNames = 6;

}  // namespace

void SearchOverlay::go(const Scene& scene, Selection& selection, bool forward) {
    const std::string_view what(text_.data());
    const std::size_t from = selection.playhead == 0 ? scene.replay.size() - 1 : selection.playhead - 1;
    const auto found =
        what.empty() ? std::nullopt : find_event(scene.replay.trace(), what, from, forward, scene.style.language);
    answer_ = found ? scene.style.says(T::event_flag, *found + 1) : scene.style.says(T::search_none);
    if (found) set_playhead(*found + 1, scene.replay, scene.index, selection);
    focus_ = true;
}

void SearchOverlay::names(const Scene& scene, Selection& selection) {
    const std::string_view what(text_.data());
    if (what.empty()) return ImGui::TextDisabled("%s", scene.style.says(T::search_hint).c_str());
    const auto found = find_coroutines(scene.replay.trace(), what, kMostNames);
    for (const std::uint32_t co : found) {
        ImGui::PushID(static_cast<int>(co));
        if (ImGui::SmallButton(scene.replay.trace().name(co).c_str())) selection.chosen = co;
        ImGui::PopID();
        ImGui::SameLine();
    }
    ImGui::TextDisabled("%s", answer_.empty() ? scene.style.says(T::search_enter).c_str() : answer_.c_str());
}

void SearchOverlay::draw(const Scene& scene, Rect area, Selection& selection) {
    if (!open_) return;
    const float em = scene.style.em, width = std::min(area.width() - 2 * em, 46 * em);
    ImGui::SetNextWindowPos({area.middle_x() - width / 2, area.y0 + em});
    ImGui::SetNextWindowSize({width, 4.6F * em});
    ImGui::Begin("search", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    canvas.fill({at.x, at.y, at.x + size.x, at.y + size.y}, scene.style.colors().control, 0.3F * em);
    canvas.frame({at.x, at.y, at.x + size.x, at.y + size.y}, scene.style.colors().chosen);
    if (focus_) ImGui::SetKeyboardFocusHere();
    focus_ = false;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputText("##what", text_.data(), text_.size(), ImGuiInputTextFlags_EnterReturnsTrue))
        go(scene, selection, !ImGui::GetIO().KeyShift);
    if (ImGui::IsItemEdited()) answer_.clear();
    names(scene, selection);
    ImGui::End();
}

}  // namespace fiberscope::viewer
