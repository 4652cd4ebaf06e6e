#include "viewer/panels/over/lanes_overlay.h"

#include <algorithm>
#include <string>

#include "viewer/layout/timeline/lanes.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// One of several buttons; the active one has a frame.
bool choice(const Canvas& canvas, const std::string& label, bool active) {
    const bool pressed = button_behind(canvas.style(), label);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (active) canvas.frame({low.x, low.y, high.x, high.y}, canvas.style().colors().chosen, 2);
    return pressed;
}

void draw_orders(const Canvas& canvas, LaneWishes& wishes) {
    const Style& style = canvas.style();
    ImGui::AlignTextToFramePadding();
    words(style, style.says("by"));
    for (std::size_t i = 0; i < kLaneOrders; ++i) {
        const auto order = static_cast<LaneOrder>(i);
        if (choice(canvas, order_word(order, style.language), wishes.order == order)) wishes.order = order;
    }
    checkbox(style, style.says("headings"), wishes.groups);
    checkbox_behind(style, style.says("hide dead coroutines"), wishes.hides_dead);
    if (!wishes.folded.empty() && button_behind(style, style.says("unfold all"))) wishes.folded.clear();
    if (button_behind(style, style.says("all lanes"))) wishes = {};
}

}  // namespace

void LanesOverlay::draw_filter(const Scene& scene, Selection& selection) {
    std::string& filter = selection.lanes.filter;
    const auto length = std::min(filter.size(), text_.size() - 1);
    std::copy_n(filter.begin(), length, text_.begin());
    text_[length] = 0;
    if (focus_) focus_next_item();
    focus_ = false;
    if (field(scene.style, "##filter", scene.style.says("filter"), text_)) close();
    if (ImGui::IsItemEdited()) filter = text_.data();
    const LaneTable table(scene.replay, scene.index, selection.lanes);
    paragraph(
        scene.style,
        scene.style.says("part of a name, state:ready, kind:task, machine:0, parent:main; several: all must match"),
        scene.style.colors().dim);
    words(scene.style,
          scene.style.says("{0} of {1} coroutines are shown", scene.index.coroutines() - table.hidden(),
                           scene.index.coroutines()),
          true);
}

void LanesOverlay::draw(const Scene& scene, Rect area, Selection& selection) {
    if (!open_) return;
    const float em = scene.style.em, width = std::min(area.width() - 4 * em, 44 * em);
    begin_over("lanes", scene.style, {area.x0 + em, area.y0}, width);
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const bool opened = focus_;  // perhaps by this click
    draw_filter(scene, selection);
    draw_orders(canvas, selection.lanes);
    const bool elsewhere = !opened && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                           !ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y}, false);
    if (elsewhere) close();
    ImGui::End();
}

}  // namespace fiberscope::viewer
