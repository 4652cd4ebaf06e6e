#include <algorithm>
#include <cmath>

#include "viewer/layout/base/fitting.h"
#include "viewer/panels/signs.h"
#include "viewer/panels/timeline_panel.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTimelineDrawingBold = 1.15F;  // width of bold text relative to normal text, at most
constexpr float kLowName = 1.05F;              // em: a lower lane has no chip, and a name only if there is room

void draw_grounds(const Canvas& canvas, const Timeline& timeline) {
    const Palette& colors = canvas.style().colors();
    for (const Lane& lane : timeline.lanes) {
        const Rect row{timeline.names.x0, lane.rect.y0, lane.rect.x1, lane.rect.y1};
        canvas.fill(row, lane.heading ? colors.control : lane.odd ? colors.lane_other : colors.lane);
        if (lane.chosen) canvas.fill(row, colors.chosen.with_alpha(38));
    }
}

/// The flag on the playhead; empty if the playhead is not visible.
Rect flag_of(const Canvas& canvas, const Timeline& timeline, const std::string& label) {
    const float x = std::round(timeline.playhead_x), em = canvas.style().em;
    const Rect& ruler = timeline.ruler;
    if (ruler.empty() || x < ruler.x0 || x > ruler.x1) return {};
    const float width = canvas.text_width(label, canvas.style().fonts.bold) + 0.6F * em;
    const float left = std::clamp(x - width / 2, ruler.x0, std::max(ruler.x0, ruler.x1 - width));
    return {left, ruler.y0, left + width, ruler.y0 + 1.2F * em};
}

std::string flag_label(const Style& style, const Selection& selection) {
    return selection.playhead == 0 ? style.says("start") : style.says("event {0}", selection.playhead);
}

bool stand_apart(Rect a, Rect b) { return a.empty() || b.empty() || a.x1 <= b.x0 || b.x1 <= a.x0; }

/// Labels avoid the flag of the playhead.
void draw_ruler(const Canvas& canvas, const Timeline& timeline, Rect flag) {
    const Palette& colors = canvas.style().colors();
    const Rect& ruler = timeline.ruler;
    for (const Tick& tick : timeline.ticks) {
        const float x = std::round(timeline.scale.x(tick.t));
        const bool major = !tick.label.empty();
        const float height = ruler.height() * (major ? 0.35F : 0.18F);
        canvas.line({x, ruler.y1 - height}, {x, ruler.y1}, major ? colors.text : colors.dim);
        if (!major) continue;
        canvas.line({x, ruler.y1}, {x, timeline.lanes_area.y1}, colors.line.with_alpha(110));
        if (ruler.empty()) continue;
        const float width = canvas.text_width(tick.label);
        const Rect place{x - width / 2, ruler.y0, x + width / 2, ruler.y1};
        if (stand_apart(place, flag) && place.x0 >= ruler.x0 && place.x1 <= ruler.x1)
            canvas.text({place.x0, place.y0}, tick.label, colors.dim);
    }
}

void draw_zones(const Canvas& canvas, const Timeline& timeline) {
    const Color seam = canvas.style().colors().background.with_alpha(150);
    for (const Zone& zone : timeline.zones) {
        const Rect& r = zone.rect;
        if (zone.merged)
            for (const ShareBar& bar : share_bars(zone, canvas.style().theme)) canvas.fill(bar.rect, bar.look->fill);
        else if (r.width() >= kThinnest)
            canvas.fill_look(r, look(zone.state, zone.idle, canvas.style().theme));
        // Separates adjacent stretches of the same state.
        if (!zone.merged && r.width() >= 4) canvas.line({r.x0, r.y0}, {r.x0, r.y1}, seam);
    }
    // Thin ones are drawn last and at a visible minimum width, since a short run between two long waits matters.
    for (const Zone& zone : timeline.zones) {
        if (zone.merged || zone.rect.width() >= kThinnest) continue;
        Rect r = zone.rect;
        r.x1 = std::max(r.x1, r.x0 + 1.5F);
        canvas.fill_look(r, look(zone.state, zone.idle, canvas.style().theme));
    }
}

/// Letters are at the beginning of a stretch, clear of the arrow there; names on a machine's lane are centred.
void draw_texts(const Canvas& canvas, const Timeline& timeline) {
    for (const Zone& zone : timeline.zones) {
        if (zone.text.empty()) continue;
        const Look& state_look = look(zone.state, zone.idle, canvas.style().theme);
        const Rect& r = zone.rect;
        if (zone.on_machine)
            canvas.text_in(r, zone.text, state_look.ink);
        else
            canvas.text({zone.text_x, canvas.text_y(r)}, zone.text, state_look.ink);
    }
}

void draw_head(const Canvas& canvas, const Arrow& arrow, Color color) {
    const float size = 0.28F * canvas.style().em, down = arrow.y1 > arrow.y0 ? 1.0F : -1.0F;
    canvas.list()->AddTriangleFilled({arrow.x, arrow.y1}, {arrow.x - size, arrow.y1 - down * 1.7F * size},
                                     {arrow.x + size, arrow.y1 - down * 1.7F * size}, packed(color));
}

/// Below the zones, so that the lines are visible only in the gaps between lanes.
void draw_merged_arrows(const Canvas& canvas, const Timeline& timeline) {
    const Color color = canvas.style().colors().arrow.with_alpha(120);
    for (const Arrow& arrow : timeline.arrows)
        if (arrow.merged) canvas.line({arrow.x, arrow.y0}, {arrow.x, arrow.y1}, color, 1.5F);
}

void draw_arrows(const Canvas& canvas, const Timeline& timeline) {
    const Palette& colors = canvas.style().colors();
    for (const Arrow& arrow : timeline.arrows) {
        if (arrow.merged) continue;
        const bool strong = arrow.of_chosen || arrow.at_playhead;
        const Color color = arrow.at_playhead ? colors.playhead : colors.arrow.with_alpha(strong ? 255 : 130);
        const float dot = 0.13F * canvas.style().em;
        canvas.line({arrow.x, arrow.y0}, {arrow.x, arrow.y1}, color, strong ? 2.0F : 1.0F);
        canvas.list()->AddCircleFilled({arrow.x, arrow.y0}, dot, packed(color), 8);
        draw_head(canvas, arrow, color);
    }
}

bool are_low(const Timeline& timeline, float em) { return timeline.lane_height < kLowName * em; }

/// If lanes are lower than text, the frame excludes the names.
void draw_chosen_frame(const Canvas& canvas, const Timeline& timeline) {
    const float left = are_low(timeline, canvas.style().em) ? timeline.names.x1 : timeline.names.x0;
    for (const Lane& lane : timeline.lanes)
        if (lane.chosen)
            canvas.frame({left, lane.rect.y0, lane.rect.x1, lane.rect.y1}, canvas.style().colors().chosen, 2);
}

void draw_low_names(const Canvas& canvas, const Timeline& timeline) {
    const Palette& colors = canvas.style().colors();
    for (const LowName& name : low_names(timeline, canvas.style().em)) {
        const Lane& lane = timeline.lanes[name.lane];
        if (lane.chosen) canvas.fill({timeline.names.x0, name.rect.y0, name.rect.x1, name.rect.y1}, colors.chosen);
        canvas.text({name.rect.x0, name.rect.y0}, lane.name, lane.chosen ? colors.panel : colors.text, nullptr,
                    name.rect.width());
    }
}

/// Below the pinned lanes.
void draw_pinned_end(const Canvas& canvas, const Timeline& timeline) {
    if (timeline.pinned_end <= timeline.lanes_area.y0) return;
    canvas.line({timeline.lanes_area.x0, timeline.pinned_end}, {timeline.lanes_area.x1, timeline.pinned_end},
                canvas.style().colors().text, 1.5F);
}

void draw_playhead(const Canvas& canvas, const Timeline& timeline, Rect flag, const std::string& label) {
    const Palette& colors = canvas.style().colors();
    const float x = std::round(timeline.playhead_x);
    if (x < timeline.ruler.x0 || x > timeline.ruler.x1) return;
    canvas.fill({x - 1, timeline.ruler.y0, x + 1, timeline.lanes_area.y1}, colors.playhead);
    if (flag.empty()) return;
    canvas.fill(flag, colors.playhead, 0.2F * canvas.style().em);
    canvas.text_in(flag, label, canvas.style().theme == Theme::dark ? Color{0, 0, 0} : Color{255, 255, 255},
                   canvas.style().fonts.bold);
}

/// The state of a lane's coroutine or machine at the playhead; null if it does not exist.
const Look* look_now(const Scene& scene, const Lane& lane) {
    if (lane.heading) return nullptr;
    const std::uint32_t co = lane.machine ? scene.replay.running(lane.id) : lane.id;
    if (co >= scene.replay.coroutines() || !scene.replay.coroutine(co).exists) return nullptr;
    const trace::IdleSpan* span = lane.machine ? scene.index.idle().at(lane.id, scene.replay.at()) : nullptr;
    const trace::Idle idle = span != nullptr ? span->kind : idle_now(scene.replay, scene.index, co);
    return &look(scene.replay.coroutine(co).state, idle, scene.style.theme);
}

void draw_names(const Canvas& canvas, const Timeline& timeline, const Scene& scene) {
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    if (are_low(timeline, em)) return draw_low_names(canvas, timeline);
    for (const Lane& lane : timeline.lanes) {
        const float side = std::min(1.15F * em, lane.rect.height() - 3);
        const float x = timeline.names.x0 + 0.25F * em, y = lane.rect.middle_y() - side / 2;
        if (lane.heading) {
            canvas.text({timeline.names.x0 + 0.25F * em, canvas.text_y(lane.rect, canvas.style().fonts.bold)},
                        lane.name, colors.text, canvas.style().fonts.bold, lane.rect.x1 - timeline.names.x0);
            continue;
        }
        const bool exists = !lane.machine && scene.replay.coroutine(lane.id).exists;
        if (const Look* its = look_now(scene, lane)) canvas.chip({x, y, x + side, y + side}, *its);
        const float text_x = x + (1.6F + kIndent * static_cast<float>(lane.depth)) * em;
        const Rect pin = lane.pinned ? timeline.pin_of(lane, em) : Rect();
        if (!pin.empty()) draw_pin(canvas, pin, colors.text);
        const float note = (lane.note.empty() ? 0 : canvas.text_width(lane.note) + 0.7F * em) + pin.width();
        canvas.text({text_x, canvas.text_y(lane.rect)}, lane.name, exists || lane.machine ? colors.text : colors.dim,
                    lane.chosen || lane.machine ? canvas.style().fonts.bold : canvas.style().fonts.text,
                    timeline.names.x1 - text_x - 0.2F * em - note);
        canvas.text({timeline.names.x1 - note + 0.2F * em, canvas.text_y(lane.rect)}, lane.note, colors.dim);
    }
}

/// Maximum (lighter) and minimum of each column; at subpixel positions, since many columns have the same height.
void draw_columns(const Canvas& canvas, const Plot& plot, float playhead) {
    const Palette& colors = canvas.style().colors();
    const float end = std::round(plot.rect.y1);
    canvas.fill({plot.rect.x0, std::round(plot.rect.y0), plot.rect.x1, end}, colors.lane);
    for (const PlotColumn& column : plot.columns) {
        canvas.fill({column.x0, std::round(column.high), column.x1, end}, colors.dim.with_alpha(110));
        canvas.fill({column.x0, std::round(column.low), column.x1, end}, colors.dim);
    }
    const float now = std::round(playhead);
    if (now >= plot.rect.x0 && now <= plot.rect.x1)
        canvas.fill({now - 1, plot.rect.y0, now + 1, plot.rect.y1}, colors.playhead);
}

/// The length of the ready queues, with name and numbers in one line.
void draw_ready(const Canvas& canvas, const Timeline& timeline) {
    const Plot& plot = timeline.ready;
    if (plot.rect.empty()) return;
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em, x = timeline.names.x0 + 0.25F * em, room = timeline.names.width() - 0.5F * em;
    draw_columns(canvas, plot, timeline.playhead_x);
    const Rect names{timeline.names.x0, plot.rect.y0, timeline.names.x1, plot.rect.y1};
    const float name = canvas.text({x, canvas.text_y(names, canvas.style().fonts.bold)}, plot.name, colors.text,
                                   canvas.style().fonts.bold, room);
    const std::string words =
        first_fitting(metrics_of(canvas.style()), room - name - 0.7F * em, {plot.words, plot.now, ""});
    canvas.text_at_right({names.x0, names.y0, names.x1 - 0.5F * em, names.y1}, words, colors.dim);
}

void draw_region(const Canvas& canvas, const Timeline& timeline) {
    const Rect& r = timeline.region;
    if (r.empty()) return;
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    canvas.fill({r.x0, timeline.ruler.y1, r.x1, r.y1}, colors.chosen.with_alpha(26));
    for (const float x : {r.x0, r.x1}) canvas.line({x, r.y0}, {x, r.y1}, colors.chosen, 2);
    const float y = timeline.ruler.y1 - 2,
                width = canvas.text_width(timeline.region_sentence, canvas.style().fonts.bold);
    canvas.line({r.x0, y}, {r.x1, y}, colors.chosen, 3);
    if (timeline.lanes_area.height() < 1.5F * em) return;  // the line above the panels has the duration
    const float left =
        std::clamp(r.middle_x() - width / 2, timeline.ruler.x0, std::max(timeline.ruler.x0, timeline.ruler.x1 - width));
    const Rect label{left - 0.3F * em, timeline.lanes_area.y0, left + width + 0.3F * em,
                     timeline.lanes_area.y0 + 1.25F * em};
    canvas.fill(label, colors.chosen, 0.2F * em);
    canvas.text_in(label, timeline.region_sentence, colors.panel, canvas.style().fonts.bold);
}

/// Which machine continued; highlighted if the choice has a cost.
void draw_choices(const Canvas& canvas, const ChoiceLane& lane) {
    if (lane.rect.empty()) return;
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    canvas.fill({lane.names.x0, lane.rect.y0, lane.rect.x1, lane.rect.y1}, colors.control);
    canvas.text({lane.names.x0 + 0.25F * em, canvas.text_y(lane.names)}, canvas.style().says("choices"), colors.text,
                canvas.style().fonts.bold, lane.names.width());
    canvas.list()->PushClipRect({lane.rect.x0, lane.rect.y0}, {lane.rect.x1, lane.rect.y1}, true);
    for (const ChoiceMark& mark : lane.marks) {
        canvas.fill(mark.rect, mark.costs ? colors.text : colors.panel, 0.15F * em);
        if (mark.at_playhead) canvas.frame(mark.rect, colors.playhead, 2);
        canvas.text_in(mark.rect, mark.chosen, mark.costs ? colors.panel : colors.text, canvas.style().fonts.bold);
        canvas.text({mark.others_x, canvas.text_y(lane.rect)}, mark.others, colors.dim);
    }
    canvas.list()->PopClipRect();
}

/// Covers the lanes and the parts above and below them.
void hide_future(const Canvas& canvas, const Timeline& timeline) {
    Rect future = timeline.lanes_area;
    future.x0 = std::max(future.x0, timeline.playhead_x);
    if (!timeline.ready.rect.empty()) future.y0 = timeline.ready.rect.y0;
    if (!future.empty()) canvas.fill(future, canvas.style().colors().panel);
}

void clipped(const Canvas& canvas, Rect r, const auto& draw) {
    canvas.list()->PushClipRect({r.x0, r.y0}, {r.x1, r.y1}, true);
    draw();
    canvas.list()->PopClipRect();
}

}  // namespace

void draw_minimap(const Canvas& canvas, const Minimap& minimap) {
    const Rect& r = minimap.rect;
    if (r.empty()) return;
    const Palette& colors = canvas.style().colors();
    canvas.fill(r, colors.background);
    canvas.fill({minimap.from, r.y0, minimap.to, r.y1}, colors.control);
    float x = minimap.x0;
    for (const float height : minimap.heights) {
        Rect bar{x, r.y1 - std::max(1.0F, std::min(height, 1.0F) * (r.height() - 2)),
                 std::min(x + minimap.column - 1, r.x1), r.y1};
        if (height > 0) canvas.fill(bar, colors.dim);
        bar.y1 = bar.y0 + 0.2F * r.height();
        if (height > 1) canvas.fill(bar, colors.playhead);
        x += minimap.column;
    }
    canvas.frame({minimap.from, r.y0, minimap.to, r.y1}, colors.text);
    canvas.fill({minimap.playhead - 1, r.y0, minimap.playhead + 1, r.y1}, colors.playhead);
}

void draw_timeline(const Canvas& canvas, const Timeline& timeline, const Scene& scene, const Selection& selection,
                   bool hides_future) {
    const Rect rows{timeline.names.x0, timeline.lanes_area.y0, timeline.lanes_area.x1, timeline.lanes_area.y1};
    clipped(canvas, rows, [&] { draw_grounds(canvas, timeline); });
    shade_differences(canvas, timeline.differences, timeline.lanes_area);
    draw_minimap(canvas, timeline.minimap);
    const std::string label = flag_label(canvas.style(), selection);
    const Rect flag = flag_of(canvas, timeline, label);
    draw_ruler(canvas, timeline, flag);
    draw_differences(canvas, timeline.differences);
    draw_choices(canvas, timeline.choices);
    clipped(canvas, timeline.lanes_area, [&] {
        draw_merged_arrows(canvas, timeline);
        draw_zones(canvas, timeline);
        draw_arrows(canvas, timeline);
        draw_texts(canvas, timeline);
        for (const Steal& s : timeline.steals)
            draw_steal(canvas, {s.x, s.y0}, {s.x, s.y1}, s.count, s.at_playhead, s.several);
        for (const Mark& mark : timeline.marks) draw_mark(canvas, mark, timeline.lane_height);
    });
    clipped(canvas, rows, [&] {
        draw_names(canvas, timeline, scene);
        draw_pinned_end(canvas, timeline);
        draw_chosen_frame(canvas, timeline);
    });
    draw_ready(canvas, timeline);
    if (hides_future) hide_future(canvas, timeline);
    draw_playhead(canvas, timeline, flag, label);
    draw_region(canvas, timeline);
}

}  // namespace fiberscope::viewer
