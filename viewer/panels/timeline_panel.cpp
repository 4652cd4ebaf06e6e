#include "viewer/panels/timeline_panel.h"

#include <algorithm>
#include <cmath>

#include "traces/words/words.h"
#include "viewer/layout/timeline/region.h"
#include "viewer/model/playback.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {

using trace::kNone;

void TimelinePanel::draw(const Scene& scene, Rect area, Selection& selection, float least_names,
                         const DifferenceView& differences, bool hides_future) {
    hides_future_ = hides_future;
    least_names_ = least_names;
    differences_ = differences;
    const Rect inner = begin_panel("timeline", area, scene.style, "");
    const float bar = ImGui::GetStyle().ScrollbarSize;
    const Rect content{inner.x0, inner.y0, inner.x1 - bar, inner.y1};
    show_chosen_lane(scene, selection, content.height());
    const auto lay_out = [&] {
        timeline_ = layout_timeline(request_of(scene, selection, content));
        // Not rounded to whole lanes as in the drawing, so that small steps of the mouse wheel add up.
        const float most = std::max(0.0F, timeline_.content_height - timeline_.lanes_area.height());
        selection.scroll = std::clamp(selection.scroll, 0.0F, most / std::max(1.0F, timeline_.lane_height));
    };
    lay_out();
    ImGui::SetCursorScreenPos({content.x0, content.y0});
    ImGui::InvisibleButton(
        "lanes", {content.width(), content.height()},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
    const Selection before = selection;
    const bool hovered = ImGui::IsItemHovered();
    handle_mouse(scene, selection);
    draw_corner(scene, inner.x0, selection);
    const bool moved = before.visible.from != selection.visible.from || before.visible.to != selection.visible.to;
    const bool scrolled = before.scroll != selection.scroll || before.lanes != selection.lanes;
    const bool spanned =
        before.region.has_value() != selection.region.has_value() ||
        (before.region && (before.region->from != selection.region->from || before.region->to != selection.region->to));
    if (before.scroll != selection.scroll) wanted_lane_ = kNone;
    if (moved || spanned || before.chosen != selection.chosen || scrolled) lay_out();
    draw_timeline(Canvas(ImGui::GetWindowDrawList(), scene.style), timeline_, scene, selection, hides_future);
    draw_offered_pin(scene, hovered);
    if (timeline_.content_height > timeline_.lanes_area.height() + 1)
        draw_scrollbar(scene, {content.x1, timeline_.lanes_area.y0, inner.x1, timeline_.lanes_area.y1}, selection);
    last_chosen_ = selection.chosen;
    end_panel();
}

TimelineRequest TimelinePanel::request_of(const Scene& scene, const Selection& selection, Rect content) const {
    return {scene.replay, scene.index, selection,   content, metrics_of(scene.style), 0, least_names_, least_lane_,
            differences_, minimap_,    most_ready_, ruler_};
}

void TimelinePanel::scroll_by(float pixels, Selection& selection) const {
    selection.scroll = std::max(0.0F, selection.scroll + pixels / std::max(1.0F, timeline_.lane_height));
}

/// Scrolls to the requested lane, or to that of a coroutine selected elsewhere.
void TimelinePanel::show_chosen_lane(const Scene& scene, Selection& selection, float room) {
    const std::uint32_t wanted = room == wanted_room_ ? kNone : wanted_lane_;
    wanted_room_ = room;
    const std::uint32_t co = wanted != kNone ? wanted : selection.chosen == last_chosen_ ? kNone : selection.chosen;
    if (co >= scene.index.coroutines()) return;
    const Timeline probe = layout_timeline(request_of(scene, selection, {0, 0, 1000, room}));
    if (const auto scroll = scroll_to_see(probe, co)) selection.scroll = *scroll;
}

const Lane* TimelinePanel::lane_of_pin(const Scene& scene) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Lane* lane = timeline_.names.contains({mouse.x, mouse.y}) ? timeline_.lane_at(mouse.y) : nullptr;
    return lane == nullptr || timeline_.pin_of(*lane, scene.style.em).empty() ? nullptr : lane;
}

/// The pin of the lane whose name is under the mouse; a click pins or unpins the lane.
bool TimelinePanel::handle_pin(const Scene& scene, Selection& selection) {
    const Lane* lane = lane_of_pin(scene);
    if (lane == nullptr || ImGui::GetIO().MousePos.x < timeline_.pin_of(*lane, scene.style.em).x0) return false;
    const Text words =
        lane->pinned ? mark("unpins this lane") : mark("pins this lane at the top (Shift H; Shift M: all machines)");
    ImGui::SetTooltip("%s", scene.style.says(words).c_str());
    if (!ImGui::IsItemActivated() || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return true;
    if (lane->machine)
        toggle_machine(selection.lanes.pins, lane->id);
    else
        toggle_coroutine(selection.lanes.pins, lane->id);
    return true;
}

void TimelinePanel::draw_offered_pin(const Scene& scene, bool hovered) const {
    const Lane* lane = hovered ? lane_of_pin(scene) : nullptr;
    if (lane == nullptr) return;
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Rect pin = timeline_.pin_of(*lane, scene.style.em);
    canvas.fill(pin, scene.style.colors().control_hot, 0.2F * scene.style.em);
    draw_pin(canvas, pin, scene.style.colors().text);
}

/// The summary of the lanes, in the corner above the names; a click opens their settings.
void TimelinePanel::draw_corner(const Scene& scene, float x0, Selection& selection) {
    const float em = scene.style.em;
    const Rect ruler = timeline_.ruler;
    const Rect r{x0, minimap_ ? timeline_.minimap.rect.y0 : ruler.y0, ruler.x0 - 0.3F * em, ruler.y1 - 0.2F * em};
    if (r.empty()) return;
    // A click activates the button below.
    const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                      ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1});
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    if (over) {
        canvas.fill(r, colors.control, 0.2F * em);
        const std::string what =
            timeline_.table_words.empty() ? scene.style.says("all, by number") : timeline_.table_words;
        ImGui::SetTooltip("%s",
                          scene.style.says("Lanes: {0}. Click to filter, sort and group (/, O, H, K).", what).c_str());
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) corner_clicked_ = true;
    }
    const std::string filter = selection.lanes.filter.empty() ? "" : " '" + selection.lanes.filter + "'";
    const Rect upper{r.x0, r.y0, r.x1, r.y0 + 1.2F * em}, lower{r.x0, ruler.y0, r.x1, ruler.y1 - 0.2F * em};
    if (minimap_) {
        const std::string words = scene.style.says("▾ lanes{0}", filter);
        const std::string count = shown_of_all(scene.style, timeline_.lanes.size(), timeline_.table.size());
        const float width = canvas.text_width(words) + 0.7F * em;
        canvas.text({upper.x0, upper.y0}, words, colors.text, nullptr, r.width());
        if (width + canvas.text_width(count) <= r.width()) canvas.text({upper.x0 + width, upper.y0}, count, colors.dim);
    }
    const bool changed = !timeline_.table_words.empty();
    canvas.text({lower.x0, canvas.text_y(lower)}, changed ? timeline_.table_words : scene.style.says("time"),
                changed ? colors.text : colors.dim, nullptr, lower.width());
}

/// Its ends snap to ends of stretches and to events.
void TimelinePanel::handle_region(const Scene& scene, Selection& selection) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float reach = 0.5F * scene.style.em;
    const double t = snapped(request_of(scene, selection, timeline_.lanes_area), timeline_, {mouse.x, mouse.y}, reach);
    if (ImGui::IsItemActivated()) region_begin_ = t;
    selection.region.reset();
    if (t != region_begin_) selection.region = {std::min(t, region_begin_), std::max(t, region_begin_)};
}

/// A drag on the minimap moves the visible range.
void TimelinePanel::handle_minimap(const Scene& scene, Selection& selection) {
    const double at = timeline_.minimap.scale.t(ImGui::GetIO().MousePos.x);
    const double middle = (selection.visible.from + selection.visible.to) / 2;
    selection.visible = panned(selection.visible, at - middle, axis_end(scene.index, selection));
}

void TimelinePanel::handle_mouse(const Scene& scene, Selection& selection) {
    const ImGuiIO& io = ImGui::GetIO();
    bool on_pin = false;
    if (ImGui::IsItemHovered()) {
        handle_wheel(scene, selection);
        on_pin = drag_ == Drag::none && handle_pin(scene, selection);
        if (drag_ == Drag::none && !on_pin) tooltip(scene);
    }
    if (ImGui::IsItemActivated()) {
        const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
        clicked_difference_ = timeline_.differences.at({io.MousePos.x, io.MousePos.y}, scene.style.em);
        drag_ = timeline_.minimap.rect.contains({io.MousePos.x, io.MousePos.y}) ? Drag::view
                : left && io.KeyShift && io.MousePos.x >= timeline_.names.x1    ? Drag::region
                : left                                                          ? Drag::playhead
                                                                                : Drag::pan;
    }
    if (!ImGui::IsItemActive() || clicked_difference_ || on_pin) drag_ = Drag::none;
    if (drag_ == Drag::pan) {
        const double by = -static_cast<double>(io.MouseDelta.x) * timeline_.scale.ns_per_px();
        selection.visible = panned(selection.visible, by, axis_end(scene.index, selection));
        scroll_by(-io.MouseDelta.y, selection);
    }
    if (drag_ == Drag::view) handle_minimap(scene, selection);
    if (drag_ == Drag::playhead) handle_left(scene, selection);
    if (drag_ == Drag::region) handle_region(scene, selection);
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
        scroll_by(-io.MouseWheel * 3 * timeline_.lane_height, selection);
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
        if (lane != nullptr && !lane->machine && !lane->heading)
            selection.chosen = lane->id;
        else if (zone != nullptr && zone->co != kNone)
            selection.chosen = zone->co;
        last_chosen_ = selection.chosen;
        if (mouse.x < timeline_.names.x1) drag_ = Drag::none;
        const Mark* mark = hides_future_ ? nullptr : mark_at({mouse.x, mouse.y});
        if (mark != nullptr) return go_to(*mark, scene, selection);
    }
    if (drag_ != Drag::playhead) return;
    const double t = timeline_.scale.t(std::clamp(mouse.x, timeline_.scale.x0, timeline_.scale.x1));
    selection.playhead = scene.replay.index_at_time(static_cast<std::uint64_t>(std::max(0.0, t)));
    if (selection.moment) selection.moment = std::clamp(t, 0.0, static_cast<double>(axis_end(scene.index, selection)));
}

void TimelinePanel::draw_scrollbar(const Scene& scene, Rect bar, Selection& selection) {
    const float room = timeline_.lanes_area.height(), most = timeline_.content_height - room;
    const float grab = std::max(scene.style.em, bar.height() * room / timeline_.content_height);
    ImGui::SetCursorScreenPos({bar.x0, bar.y0});
    ImGui::InvisibleButton("lane scroll", {bar.width(), bar.height()});
    if (ImGui::IsItemActive()) {
        const float place = ImGui::GetIO().MousePos.y - bar.y0 - grab / 2;
        const float share = std::clamp(place / std::max(1.0F, bar.height() - grab), 0.0F, 1.0F);
        selection.scroll = share * most / std::max(1.0F, timeline_.lane_height);
    }
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float y = bar.y0 + (bar.height() - grab) * (most > 0 ? timeline_.scroll / most : 0);
    canvas.fill(bar, colors.background);
    canvas.fill({bar.x0 + 2, y, bar.x1 - 2, y + grab}, ImGui::IsItemHovered() ? colors.dim : colors.control_hot,
                0.2F * scene.style.em);
}

const Mark* TimelinePanel::mark_at(Point p) const noexcept {
    const Mark* nearest = nullptr;
    for (const Mark& mark : timeline_.marks) {
        const float away = std::abs(mark.at.x - p.x);
        if (away > std::max(5.0F, mark.size) || std::abs(mark.at.y - p.y) > timeline_.lane_height / 2) continue;
        if (nearest == nullptr || away < std::abs(nearest->at.x - p.x)) nearest = &mark;
    }
    return nearest;
}

/// Goes to the event of a mark; for several, to the first, and shows all of them.
void TimelinePanel::go_to(const Mark& mark, const Scene& scene, Selection& selection) {
    drag_ = Drag::none;
    set_playhead(mark.event + std::size_t{1}, scene.replay, scene.index, selection);
    const auto range = mark.count > 1 ? around(scene.replay.trace(), mark) : std::nullopt;
    const std::uint64_t end = axis_end(scene.index, selection);
    if (range) selection.visible = zoomed(*range, range->from, 1, end);
    if (selection.moment) selection.moment = playhead_time(scene.replay, selection.playhead);
}

void TimelinePanel::tooltip(const Scene& scene) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (hides_future_ && mouse.x > timeline_.playhead_x) return;
    const trace::Trace& trace = scene.replay.trace();
    if (const Mark* mark = mark_at({mouse.x, mouse.y})) {
        const std::string more = mark->count > 1 ? "\n" + scene.style.says("A click zooms to them.") : std::string();
        ImGui::SetTooltip("%s%s", mark_words(scene.replay, scene.index, *mark, scene.style.language).c_str(),
                          more.c_str());
        return;
    }
    for (const Steal& steal : timeline_.steals) {
        if (std::abs(steal.x - mouse.x) > 5 || mouse.y < std::min(steal.y0, steal.y1) ||
            mouse.y > std::max(steal.y0, steal.y1))
            continue;
        const std::string first = trace::describe(trace, steal.event, scene.style.language);
        ImGui::SetTooltip(
            "%s", (steal.several ? scene.style.says("{0}, the first: {1}", steal.count, first) : first).c_str());
        return;
    }
    const Zone* zone = timeline_.zone_at({mouse.x, mouse.y});
    if (zone == nullptr) return;
    const auto length = static_cast<std::uint64_t>(std::max(0.0, zone->to - zone->from));
    const Lane* lane = timeline_.lane_at(mouse.y);
    const bool of_none = zone->co == kNone && lane != nullptr;  // a bucket on a machine's lane
    const std::string name = of_none ? lane->name : trace.name(zone->co), span = trace::in_words(length);
    std::string words;
    if (zone->idle != trace::Idle::none) {
        const Look& its = look(zone->idle, scene.style.theme);
        words = scene.style.says("{0} {1} for {2}: {3}", name, scene.style.says(its.word), span,
                                 scene.style.says(its.meaning));
    } else if (zone->merged) {
        words = scene.style.says("{0}, of {1}: {2}", name, span, share_words(*zone, scene.style.language)) + "\n" +
                scene.style.says("zoom in to see the stretches");
    } else {
        words = scene.style.says("{0}: {1} for {2}, from event {3}", name,
                                 trace::state_name(trace, zone->state, scene.style.language), span, zone->event);
    }
    ImGui::SetTooltip("%s", words.c_str());
}

}  // namespace fiberscope::viewer
