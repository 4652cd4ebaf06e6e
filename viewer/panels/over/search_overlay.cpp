#include "viewer/panels/over/search_overlay.h"

#include <algorithm>

#include "viewer/model/playback.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostNames = 6;
constexpr std::size_t kEventsAtOnce = 10'000;  // per frame

}  // namespace

void SearchOverlay::go(const Scene& scene, Selection& selection, bool forward) {
    while (hits_.step(kEventsAtOnce)) {
    }
    const std::size_t here = selection.playhead == 0 ? scene.replay.size() - 1 : selection.playhead - 1;
    if (const auto hit = hits_.beside(here, forward))
        set_playhead(hits_.all()[*hit] + 1, scene.replay, scene.index, selection);
    focus_ = true;
}

/// "hit 3 of 41"; only the number of hits if the event at the playhead is not one.
std::string SearchOverlay::count(const Style& style, std::size_t playhead) const {
    const std::size_t hits = hits_.all().size();
    if (!hits_.done()) return style.says("{0} {0:hit|hits} so far …", hits);
    if (hits == 0) return style.says("no matching event");
    const auto rank = playhead == 0 ? std::nullopt : hits_.rank(playhead - 1);
    const std::string words =
        rank ? style.says("hit {0} of {1}", *rank + 1, hits) : style.says("{0} {0:hit|hits}", hits);
    return style.says("{0}. Enter: next event, Shift Enter: previous event", words);
}

void SearchOverlay::names(const Scene& scene, Selection& selection) {
    const std::string_view what(text_.data());
    if (what.empty())
        return paragraph(scene.style, scene.style.says("search coroutines and events"), scene.style.colors().dim);
    const auto found = find_coroutines(scene.replay.trace(), what, kMostNames);
    for (const std::uint32_t co : found) {
        ImGui::PushID(static_cast<int>(co));
        if (button_behind(scene.style, scene.replay.trace().name(co))) selection.chosen = co;
        ImGui::PopID();
    }
    words_behind(scene.style, count(scene.style, selection.playhead), true);
}

void SearchOverlay::draw(const Scene& scene, Selection& selection) {
    if (!open_) return;
    dock_.begin("search", scene.style);
    if (focus_) focus_next_item();
    focus_ = false;
    const bool entered = field(scene.style, "##what", "", text_);
    hits_.look_for(scene.replay.trace(), text_.data(), scene.style.language);
    hits_.step(kEventsAtOnce);
    if (entered) go(scene, selection, !ImGui::GetIO().KeyShift);
    names(scene, selection);
    dock_.end();
}

}  // namespace fiberscope::viewer
