#include "viewer/panels/over/lanes_overlay.h"

#include <algorithm>
#include <string>

#include "viewer/layout/timeline/lanes.h"

namespace fiberscope::viewer {
namespace {

/// One of several buttons, of which the active one has a frame.
bool choice(const Canvas& canvas, const std::string& label, bool active) {
    const bool pressed = ImGui::Button(label.c_str());
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (active) canvas.frame({low.x, low.y, high.x, high.y}, canvas.style().colors().chosen, 2);
    ImGui::SameLine();
    return pressed;
}

void draw_orders(const Canvas& canvas, LaneWishes& wishes) {
    const Style& style = canvas.style();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(style.says(T::order_by).c_str());
    ImGui::SameLine();
    for (std::size_t i = 0; i < kLaneOrders; ++i) {
        const auto order = static_cast<LaneOrder>(i);
        if (choice(canvas, order_word(order, style.language), wishes.order == order)) wishes.order = order;
    }
    ImGui::NewLine();
    ImGui::Checkbox(style.says(T::with_headings).c_str(), &wishes.groups);
    ImGui::SameLine();
    ImGui::Checkbox(style.says(T::hide_the_dead).c_str(), &wishes.hides_dead);
    ImGui::SameLine();
    if (!wishes.folded.empty() && ImGui::Button(style.says(T::unfold_all).c_str())) wishes.folded.clear();
    ImGui::SameLine();
    if (ImGui::Button(style.says(T::all_lanes).c_str())) wishes = {};
}

}  // namespace

void LanesOverlay::draw_filter(const Scene& scene, Selection& selection) {
    std::string& filter = selection.lanes.filter;
    const auto length = std::min(filter.size(), text_.size() - 1);
    std::copy_n(filter.begin(), length, text_.begin());
    text_[length] = 0;
    if (focus_) ImGui::SetKeyboardFocusHere();
    focus_ = false;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##filter", scene.style.says(T::filter_hint).c_str(), text_.data(), text_.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue))
        close();
    if (ImGui::IsItemEdited()) filter = text_.data();
    const LaneTable table(scene.replay, scene.index, selection.lanes);
    ImGui::TextDisabled("%s", scene.style.says(T::filter_help).c_str());
    ImGui::TextDisabled(
        "%s", scene.style.says(T::coroutines_shown, scene.index.coroutines() - table.hidden(), scene.index.coroutines())
                  .c_str());
}

void LanesOverlay::draw(const Scene& scene, Rect area, Selection& selection) {
    if (!open_) return;
    const float em = scene.style.em, width = std::min(area.width() - 2 * em, 44 * em);
    ImGui::SetNextWindowPos({area.x0 + em, area.y0});
    ImGui::SetNextWindowSize({width, 8.6F * em});
    ImGui::Begin("lanes", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    canvas.fill({at.x, at.y, at.x + size.x, at.y + size.y}, scene.style.colors().panel, 0.3F * em);
    canvas.frame({at.x, at.y, at.x + size.x, at.y + size.y}, scene.style.colors().chosen);
    draw_filter(scene, selection);
    draw_orders(canvas, selection.lanes);
    const bool elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                           !ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y}, false);
    if (elsewhere) close();
    ImGui::End();
}

}  // namespace fiberscope::viewer
