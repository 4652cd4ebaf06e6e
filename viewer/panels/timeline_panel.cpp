#include "viewer/panels/timeline_panel.h"

#include <algorithm>
#include <cmath>

#include "traces/words/words.h"
#include "viewer/model/playback.h"

namespace fiberscope::viewer {

using trace::kNone;

void TimelinePanel::draw(const Scene& scene, Rect area, Selection& selection, float least_names,
                         const std::vector<double>& differences, bool hides_future) {
    hides_future_ = hides_future;
    const Rect inner = begin_panel("timeline", area, scene.style, "");
    const float bar = ImGui::GetStyle().ScrollbarSize;
    const Rect content{inner.x0, inner.y0, inner.x1 - bar, inner.y1};
    show_chosen_lane(scene, selection, content.height());
    const auto lay_out = [&] {
        timeline_ = layout_timeline({scene.replay, scene.index, selection, content,
                                     metrics_of(scene.style.fonts.text, scene.style.em), scroll_, least_names,
                                     least_lane_, differences});
        scroll_ = timeline_.scroll;
    };
    lay_out();
    ImGui::SetCursorScreenPos({content.x0, content.y0});
    ImGui::InvisibleButton(
        "lanes", {content.width(), content.height()},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
    const Selection before = selection;
    const float scroll_before = scroll_;
    handle_mouse(scene, selection);
    const bool moved = before.visible.from != selection.visible.from || before.visible.to != selection.visible.to;
    if (moved || before.chosen != selection.chosen || scroll_before != scroll_) lay_out();
    draw_timeline(Canvas(ImGui::GetWindowDrawList(), scene.style), timeline_, scene, selection, hides_future);
    if (timeline_.content_height > timeline_.lanes_area.height() + 1)
        draw_scrollbar(scene, {content.x1, timeline_.lanes_area.y0, inner.x1, timeline_.lanes_area.y1});
    last_chosen_ = selection.chosen;
    end_panel();
}

/// Scrolls to the lane of a coroutine that was chosen elsewhere.
void TimelinePanel::show_chosen_lane(const Scene& scene, const Selection& selection, float room) {
    if (selection.chosen == last_chosen_ || selection.chosen >= scene.index.coroutines()) return;
    const TimelineRequest request{scene.replay,
                                  scene.index,
                                  selection,
                                  {0, 0, 1000, room},
                                  {scene.style.em, [](std::string_view) { return 0.0F; }},
                                  scroll_,
                                  0,
                                  least_lane_,
                                  {}};
    const Timeline probe = layout_timeline(request);
    const float middle = lane_middle(request, probe, selection.chosen);
    const float half = probe.lane_height / 2;
    if (middle - half < probe.lanes_area.y0 || middle + half > probe.lanes_area.y1)
        scroll_ = probe.scroll + middle - probe.lanes_area.middle_y();
}

void TimelinePanel::handle_mouse(const Scene& scene, Selection& selection) {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered()) {
        handle_wheel(scene, selection);
        if (drag_ == Drag::none) tooltip(scene);
    }
    if (ImGui::IsItemActivated()) {
        const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
        drag_ = left ? Drag::playhead : Drag::pan;
    }
    if (!ImGui::IsItemActive()) drag_ = Drag::none;
    if (drag_ == Drag::pan) {
        const double by = -static_cast<double>(io.MouseDelta.x) * timeline_.scale.ns_per_px();
        selection.visible = panned(selection.visible, by, axis_end(scene.index, selection));
        scroll_ -= io.MouseDelta.y;
    }
    if (drag_ == Drag::playhead) handle_left(scene, selection);
}

void TimelinePanel::handle_wheel(const Scene& scene, Selection& selection) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool names = timeline_.names.contains({io.MousePos.x, io.MousePos.y});
    if (io.MouseWheelH != 0) {
        const double by = -0.1 * static_cast<double>(io.MouseWheelH) * selection.visible.span();
        selection.visible = panned(selection.visible, by, axis_end(scene.index, selection));
    }
    if (io.MouseWheel == 0) return;
    if (names || io.KeyShift) {
        scroll_ -= io.MouseWheel * 3 * timeline_.lane_height;
        return;
    }
    const double at = timeline_.scale.t(std::max(io.MousePos.x, timeline_.scale.x0));
    selection.visible = zoomed(selection.visible, at, std::pow(0.8, static_cast<double>(io.MouseWheel)),
                               axis_end(scene.index, selection));
}

void TimelinePanel::handle_left(const Scene& scene, Selection& selection) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsItemActivated()) {
        const Lane* lane = timeline_.lane_at(mouse.y);
        const Zone* zone = timeline_.zone_at({mouse.x, mouse.y});
        if (lane != nullptr && !lane->machine)
            selection.chosen = lane->id;
        else if (zone != nullptr && zone->co != kNone)
            selection.chosen = zone->co;
        last_chosen_ = selection.chosen;
        if (timeline_.names.contains({mouse.x, mouse.y})) drag_ = Drag::none;
    }
    if (drag_ != Drag::playhead) return;
    const double t = timeline_.scale.t(std::clamp(mouse.x, timeline_.scale.x0, timeline_.scale.x1));
    selection.playhead = scene.replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, t)));
    if (selection.moment) selection.moment = std::clamp(t, 0.0, static_cast<double>(axis_end(scene.index, selection)));
}

void TimelinePanel::draw_scrollbar(const Scene& scene, Rect bar) {
    const float room = timeline_.lanes_area.height(), most = timeline_.content_height - room;
    const float grab = std::max(scene.style.em, bar.height() * room / timeline_.content_height);
    ImGui::SetCursorScreenPos({bar.x0, bar.y0});
    ImGui::InvisibleButton("lane scroll", {bar.width(), bar.height()});
    if (ImGui::IsItemActive()) {
        const float place = ImGui::GetIO().MousePos.y - bar.y0 - grab / 2;
        scroll_ = std::clamp(place / std::max(1.0F, bar.height() - grab), 0.0F, 1.0F) * most;
    }
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float y = bar.y0 + (bar.height() - grab) * (most > 0 ? scroll_ / most : 0);
    canvas.fill(bar, colors.background);
    canvas.fill({bar.x0 + 2, y, bar.x1 - 2, y + grab}, ImGui::IsItemHovered() ? colors.dim : colors.control_hot,
                0.2F * scene.style.em);
}

void TimelinePanel::tooltip(const Scene& scene) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (hides_future_ && mouse.x > timeline_.playhead_x) return;
    const trace::Trace& trace = scene.replay.trace();
    for (const Mark& mark : timeline_.marks) {
        const float reach = std::max(5.0F, mark.size);
        if (std::abs(mark.at.x - mouse.x) > reach || std::abs(mark.at.y - mouse.y) > timeline_.lane_height / 2)
            continue;
        const char* more = mark.kind == MarkKind::copies ? "\nand more copies: zoom in to see them" : "";
        ImGui::SetTooltip("%s%s", trace::describe(trace, mark.event).c_str(), more);
        return;
    }
    for (const Steal& steal : timeline_.steals) {
        if (std::abs(steal.x - mouse.x) > 5 || mouse.y < std::min(steal.y0, steal.y1) ||
            mouse.y > std::max(steal.y0, steal.y1))
            continue;
        ImGui::SetTooltip("%s", trace::describe(trace, steal.event).c_str());
        return;
    }
    const Zone* zone = timeline_.zone_at({mouse.x, mouse.y});
    if (zone == nullptr) return;
    const auto length = static_cast<std::uint64_t>(std::max(0.0, zone->to - zone->from));
    const std::string name = trace.name(zone->co), span = trace::in_words(length);
    if (zone->idle != trace::Idle::none) {
        const Look& its = look(zone->idle, scene.style.theme);
        ImGui::SetTooltip("%s %s for %s: %s", name.c_str(), std::string(its.word).c_str(), span.c_str(),
                          std::string(its.meaning).c_str());
    } else if (zone->merged != 0)
        ImGui::SetTooltip("%s: %u stretches in %s, %.0f %% running\nzoom in to see them", name.c_str(), zone->merged,
                          span.c_str(), static_cast<double>(zone->running_share) * 100);
    else
        ImGui::SetTooltip("%s: %s for %s, from event %u", name.c_str(), trace.state_name(zone->state).c_str(),
                          span.c_str(), zone->event);
}

}  // namespace fiberscope::viewer
