#include <tuple>

#include "viewer/layout/sets/glide.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/sets/set_drawing.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {
namespace {

constexpr float kSetsPanelLow = 16;  // em: maximum height without a heading
/// Maximum move of the playhead, in events, with an animation; larger changes could not be followed.
constexpr std::size_t kFewEvents = 3;

}  // namespace

void SetsPanel::glide(const Scene& scene, Rect area, Sets now) {
    const Drawn here{scene.replay.at(), area, scene.style.em};
    const std::size_t step = here.at > last_.at ? here.at - last_.at : last_.at - here.at;
    const bool same = std::tie(area.x0, area.y0, area.x1, area.y1, here.em) ==
                      std::tie(last_.area.x0, last_.area.y0, last_.area.x1, last_.area.y1, last_.em);
    last_ = here;
    const double time = ImGui::GetTime();
    if (!same || step > kFewEvents || scene.glide <= 0) arrives_ = 0;
    if (same && step > 0 && step <= kFewEvents && scene.glide > 0 && moves(drawn_, now)) {
        before_ = std::move(drawn_);
        began_ = time;
        arrives_ = time + scene.glide;
    }
    if (time >= arrives_) {
        drawn_ = std::move(now);
        return;
    }
    const auto part = static_cast<float>((time - began_) / (arrives_ - began_));
    drawn_ = between(before_, now, part * part * (3 - 2 * part));  // ease in and out
}

void SetsPanel::draw(const Scene& scene, Rect area, Selection& selection) {
    const float em = scene.style.em;
    const Rect whole = begin_panel("sets", area, scene.style, "");
    const Rect below{whole.x0, whole.y0 + kHeading * em, whole.x1, whole.y1};
    const auto layout = [&](Rect content) {
        return layout_sets({scene.replay, scene.index, content, metrics_of(scene.style)});
    };
    // If there is little room, the sets use all of it without a heading, provided that they fit.
    Sets now = layout(whole.height() < kSetsPanelLow * em ? whole : below);
    const bool headed = whole.height() >= kSetsPanelLow * em || !now.more.empty();
    if (headed) now = layout(below);
    glide(scene, headed ? below : whole, std::move(now));
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    if (headed) canvas.text({whole.x0, whole.y0}, drawn_.heading, scene.style.colors().text, scene.style.fonts.bold);
    // The queues are last: woken members move over the trees and wheels.
    for (const auto* views : {&drawn_.trees, &drawn_.heaps, &drawn_.wheels, &drawn_.queues})
        for (const SetView& view : *views) draw_set(canvas, view, views == &drawn_.queues, selection);
    if (drawn_.steal) draw_steal(canvas, drawn_.steal->from, drawn_.steal->to, drawn_.steal->count, true);
    if (!drawn_.more.empty())
        canvas.text({drawn_.more_rect.x0, drawn_.more_rect.y0}, drawn_.more, scene.style.colors().text);
    end_panel();
}

}  // namespace fiberscope::viewer
