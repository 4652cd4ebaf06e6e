#include "viewer/panels/over/until_overlay.h"

#include <algorithm>
#include <string>

namespace fiberscope::viewer {

std::optional<UntilOverlay::Wish> UntilOverlay::buttons(const Style& style, const char* id, bool possible,
                                                        const Until& until) {
    std::optional<Wish> wish;
    ImGui::PushID(id);
    if (possible) {
        if (ImGui::Button(style.says(T::until_play).c_str())) wish = {until, false};
        ImGui::SameLine();
        if (ImGui::Button(style.says(T::until_go).c_str())) wish = {until, true};
    } else {
        ImGui::TextDisabled("%s", style.says(T::until_choose_first).c_str());
    }
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    return wish;
}

std::optional<UntilOverlay::Wish> UntilOverlay::draw(const Scene& scene, Rect area, const Selection& selection) {
    if (!open_) return std::nullopt;
    const float em = scene.style.em, width = std::min(area.width() - 2 * em, 40 * em);
    ImGui::SetNextWindowPos({area.middle_x() - width / 2, area.y0 + 9 * em});
    ImGui::SetNextWindowSize({width, 13 * em});
    ImGui::Begin("until", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    canvas.fill({at.x, at.y, at.x + size.x, at.y + size.y}, scene.style.colors().panel, 0.3F * em);
    canvas.frame({at.x, at.y, at.x + size.x, at.y + size.y}, scene.style.colors().chosen);
    ImGui::TextUnformatted(scene.style.says(T::until_heading).c_str());
    const trace::Trace& trace = scene.replay.trace();
    std::optional<Wish> wish;
    const auto take = [&](const std::optional<Wish>& more) { wish = more ? more : wish; };
    const bool chosen = selection.chosen < scene.index.coroutines();
    take(buttons(scene.style, "co", chosen, {Break::coroutine, selection.chosen, {}, trace::kNone, 0, SIZE_MAX, ""}));
    ImGui::TextUnformatted(chosen ? scene.style.says(T::until_switch_of, trace.name(selection.chosen)).c_str() : "");
    take(buttons(scene.style, "kind", true,
                 {Break::kind, trace::kNone, static_cast<trace::Kind>(kind_), trace::kNone, 0, SIZE_MAX, ""}));
    std::string kinds;
    for (std::size_t i = 0; i < trace::kWords<trace::Kind>.size(); ++i)
        kinds += std::string(trace::word(static_cast<trace::Kind>(i))) + '\0';
    ImGui::SetNextItemWidth(10 * em);
    ImGui::Combo(scene.style.says(T::until_kind).c_str(), &kind_, (kinds + '\0').c_str());
    if (scene.index.sets() > 0) {
        take(buttons(scene.style, "set", true,
                     {Break::longer,
                      trace::kNone,
                      {},
                      static_cast<std::uint32_t>(set_),
                      static_cast<std::uint32_t>(std::max(0, length_)),
                      SIZE_MAX,
                      ""}));
        std::string sets;
        for (std::uint32_t set = 0; set < scene.index.sets(); ++set) sets += std::string(trace.set_name(set)) + '\0';
        ImGui::SetNextItemWidth(10 * em);
        ImGui::Combo(scene.style.says(T::until_more_than).c_str(), &set_, (sets + '\0').c_str());
        ImGui::SameLine();
        ImGui::SetNextItemWidth(6 * em);
        ImGui::InputInt("##length", &length_);
    }
    Until invariant;
    invariant.what = Break::invariant;
    take(buttons(scene.style, "invariant", true, invariant));
    ImGui::TextUnformatted(scene.style.says(T::until_invariant).c_str());
    Until fault;
    fault.what = Break::fault;
    take(buttons(scene.style, "fault", true, fault));
    ImGui::TextUnformatted(scene.style.says(T::until_fault).c_str());
    ImGui::End();
    if (wish) close();
    return wish;
}

}  // namespace fiberscope::viewer
