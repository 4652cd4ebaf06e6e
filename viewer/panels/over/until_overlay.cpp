#include "viewer/panels/over/until_overlay.h"

#include <algorithm>
#include <string>
#include <vector>

#include "traces/read/printable.h"
#include "traces/words/translated.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

std::optional<UntilOverlay::Wish> UntilOverlay::buttons(const Style& style, const char* id, bool possible,
                                                        const Until& until) {
    std::optional<Wish> wish;
    ImGui::PushID(id);
    if (possible) {
        if (button(style, style.says("play"))) wish = {until, false};
        ImGui::SameLine();
        if (button(style, style.says("go"))) wish = {until, true};
    } else {
        words(style, style.says("choose a coroutine first"), true);
    }
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    return wish;
}

std::optional<UntilOverlay::Wish> UntilOverlay::draw_set(const Scene& scene) {
    const float em = scene.style.em;
    Until until;
    until.what = Break::longer;
    until.set = static_cast<std::uint32_t>(set_);
    until.length = static_cast<std::uint32_t>(std::max(0, length_));
    const std::optional<Wish> wish = buttons(scene.style, "set", true, until);
    std::vector<std::string> sets;
    for (std::uint32_t set = 0; set < scene.index.sets(); ++set)
        sets.push_back(trace::set_in(trace::printable(scene.replay.trace().set_name(set)), scene.style.language));
    choice_of(scene.style, scene.style.says("has more than"), set_, sets, 10 * em);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(6 * em);
    ImGui::InputInt("##length", &length_);
    return wish;
}

std::optional<UntilOverlay::Wish> UntilOverlay::draw(const Scene& scene, Rect area, const Selection& selection) {
    if (!open_) return std::nullopt;
    const float em = scene.style.em, width = std::min(area.width() - 3 * em, 40 * em);
    begin_over("until", scene.style, {area.middle_x() - width / 2, area.y0 + 9 * em}, width);
    words(scene.style, scene.style.says("Play until … (go: at once; a fault always stops)"));
    const trace::Trace& trace = scene.replay.trace();
    std::optional<Wish> wish;
    const auto take = [&](const std::optional<Wish>& more) { wish = more ? more : wish; };
    const bool chosen = selection.chosen < scene.index.coroutines();
    take(buttons(scene.style, "co", chosen, {Break::coroutine, selection.chosen, {}, trace::kNone, 0, SIZE_MAX, ""}));
    words(scene.style, chosen ? scene.style.says("the next switch of {0}", trace.name(selection.chosen)) : "");
    take(buttons(scene.style, "kind", true,
                 {Break::kind, trace::kNone, static_cast<trace::Kind>(kind_), trace::kNone, 0, SIZE_MAX, ""}));
    std::vector<std::string> kinds;
    for (std::size_t i = 0; i < trace::kWords<trace::Kind>.size(); ++i)
        kinds.emplace_back(trace::word(static_cast<trace::Kind>(i)));
    choice_of(scene.style, scene.style.says("an event of this kind"), kind_, kinds, 10 * em);
    if (scene.index.sets() > 0) take(draw_set(scene));
    Until invariant;
    invariant.what = Break::invariant;
    take(buttons(scene.style, "invariant", true, invariant));
    words(scene.style, scene.style.says("an event breaks an invariant of the trace format"));
    Until fault;
    fault.what = Break::fault;
    take(buttons(scene.style, "fault", true, fault));
    words(scene.style, scene.style.says("a fault"));
    ImGui::End();
    if (wish) close();
    return wish;
}

}  // namespace fiberscope::viewer
