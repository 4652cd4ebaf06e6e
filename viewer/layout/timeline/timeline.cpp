#include "viewer/layout/timeline/timeline.h"

#include <algorithm>
#include <cmath>

#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

constexpr float kComfortable = 2.2F, kTimelineLeast = 1.12F, kMostHeight = 2.4F;  // heights of a lane, in em
constexpr float kLetters = 0.95F;                                                 // em: a lower lane has no letters
constexpr float kTimelineBold = 1.15F;  // width of bold text relative to normal text, at most
constexpr float kPin = 1.1F;            // em, beside a name
constexpr std::uint32_t kDeepest = 5;   // maximum indentation of names

std::uint32_t lane_count(const TraceIndex& index) noexcept { return index.machines() + index.coroutines(); }

/// "63 % busy"; empty for a trace without duration.
std::string busy_note(const TraceIndex& index, std::uint32_t m, Language language) {
    if (index.duration() == 0) return {};
    const double percent = 100 * index.busy_share(m);
    const bool nearly = percent > 99 && percent < 100;  // do not round up to 100 %
    return say(language, "{0} % busy", nearly ? 99 : static_cast<int>(percent + 0.5));
}

float within_bounds(float width, float em) noexcept { return std::clamp(width + 2.2F * em, 6 * em, 17 * em); }

/// Width of the longest name among the machines and the first `count` coroutines, within bounds.
float name_width(const trace::Replay& replay, const TraceIndex& index, const Metrics& metrics, std::uint32_t count) {
    float width = 0;
    for (std::uint32_t m = 0; m < std::min(count, index.machines()); ++m)
        width = std::max(width, kTimelineBold * metrics.width(metrics.says("machine {0}", m)) +
                                    metrics.width(busy_note(index, m, metrics.language)) + metrics.em);
    for (std::uint32_t co = 0; co + index.machines() < count; ++co)
        width = std::max(width, kTimelineBold * metrics.width(replay.trace().name(co)));
    return within_bounds(width, metrics.em);
}

/// The same for laid-out lanes.
float name_width(const std::vector<Lane>& lanes, const Metrics& metrics) {
    float width = 0;
    for (const Lane& lane : lanes)
        if (!lane.heading)
            width = std::max(width, kTimelineBold * metrics.width(lane.name) + (lane.pinned ? kPin * metrics.em : 0) +
                                        (lane.note.empty() ? 0 : metrics.width(lane.note) + metrics.em) +
                                        kIndent * metrics.em * static_cast<float>(lane.depth));
    return within_bounds(width, metrics.em);
}

float least_lane(const TimelineRequest& request) noexcept {
    const float letters = kTimelineLeast * request.metrics.em;
    return request.least_lane > 0 ? std::min(request.least_lane, letters) : letters;
}

/// The lane at `place` of the table, without its rectangle.
Lane lane_of(const TimelineRequest& request, const LaneTable& table, std::uint32_t place) {
    const LaneRow row = table.row(place);
    Lane lane;
    lane.machine = row.kind == LaneRow::Kind::machine;
    lane.heading = row.kind == LaneRow::Kind::heading;
    lane.id = lane.heading ? kNone : row.id;
    lane.depth = std::min(row.depth, kDeepest);
    lane.odd = place % 2 != 0;
    lane.pinned = place < table.pinned();
    if (lane.heading) {
        lane.name = table.heading(row);
    } else if (lane.machine) {
        lane.name = request.metrics.says("machine {0}", row.id);
        lane.note = busy_note(request.index, row.id, request.metrics.language);
    } else {
        lane.name = request.replay.trace().name(row.id);
        if (row.hidden > 0) lane.note = "+" + std::to_string(row.hidden);
        lane.chosen = row.id == request.selection.chosen;
    }
    return lane;
}

/// In em. If there is little room, the lanes get all of it.
float ready_height(const TimelineRequest& request) noexcept {
    constexpr float kLeastForReady = 9;
    const bool room = request.area.height() >= kLeastForReady * request.metrics.em;
    return room ? ready_lane_height(request.index) : 0;
}

float ruler_height(const TimelineRequest& request) noexcept { return request.ruler ? kTimelineRuler : 0; }

/// The ruler and everything between it and the lanes, em.
float height_of_top(const TimelineRequest& request) noexcept {
    return ruler_height(request) + difference_lane_height(request.differences) + choice_lane_height(request.index) +
           ready_height(request);
}

/// The lanes of differences and of choices, which most traces do not have, and of the ready queues.
void place_lanes_below_ruler(const TimelineRequest& request, Timeline& out) {
    const float em = request.metrics.em, y = out.ruler.y1, x0 = out.names.x0, split = out.ruler.x0, x1 = out.ruler.x1;
    const float middle = y + difference_lane_height(request.differences) * em,
                end = out.lanes_area.y0 - ready_height(request) * em;
    out.differences = layout_differences(request.differences, out.scale, request.metrics, {x0, y, split, middle},
                                         {split, y, x1, middle});
    if (choice_lane_height(request.index) > 0)
        out.choices = layout_choices(request.replay, request.index, request.selection, out.scale, request.metrics,
                                     {x0, middle, split, end}, {split, middle, x1, end});
}

/// The visible lanes in `area`: the pinned ones, at most half of it, and below them the scrolled ones.
void place_lanes(const TimelineRequest& request, Rect area, float room, Timeline& out) {
    const float wanted = request.scroll + request.selection.scroll * out.lane_height;
    out.scroll = std::clamp(out.lane_height * std::round(wanted / out.lane_height), 0.0F,
                            std::max(0.0F, out.content_height - room));
    const auto fit = static_cast<std::uint32_t>(room / out.lane_height + 0.01F);
    const std::uint32_t pinned = std::min(out.table.pinned(), fit / 2);
    out.pinned_end = area.y0 + static_cast<float>(pinned) * out.lane_height;
    const auto first = pinned + static_cast<std::uint32_t>(out.scroll / out.lane_height);
    const std::uint32_t last = std::min(out.table.size(), first + fit + 2);
    for (std::uint32_t place = 0; place < last; ++place) {
        if (place == pinned) place = first;
        if (place >= last) break;
        const float y = area.y0 + static_cast<float>(place) * out.lane_height - (place < pinned ? 0 : out.scroll);
        if (y >= area.y1 - 1) break;
        if (place >= pinned && y + out.lane_height <= out.pinned_end + 1) continue;
        out.lanes.push_back(lane_of(request, out.table, place));
        out.lanes.back().rect = {area.x0, y, area.x1, y + out.lane_height};
    }
}

void place_areas(const TimelineRequest& request, Timeline& out) {
    const float em = request.metrics.em;
    Rect area = request.area;
    if (request.minimap) area.y0 += kMinimap * em;
    out.table = LaneTable(request.replay, request.index, request.selection.lanes, request.metrics.language);
    out.table_words = lanes_in_words(out.table, request.index, request.selection.lanes, request.metrics.language);
    const float ruler = ruler_height(request) * em, top = height_of_top(request) * em;
    const auto count = out.table.size();
    const float room = std::max(1.0F, area.height() - top);
    out.lane_height = std::clamp(room / static_cast<float>(std::max(1U, count)), least_lane(request), kMostHeight * em);
    if (out.lane_height * static_cast<float>(count) > room + 1)  // whole lanes only
        out.lane_height = room / std::max(1.0F, std::floor(room / out.lane_height));
    out.content_height = out.lane_height * static_cast<float>(count);
    const float bottom = std::min(area.y1, area.y0 + top + out.content_height);
    place_lanes(request, {area.x0, area.y0 + top, area.x1, bottom}, room, out);
    const float names = std::max(request.least_names, name_width(out.lanes, request.metrics));
    const float split = std::min(area.x1 - 1, area.x0 + names);
    for (Lane& lane : out.lanes) lane.rect.x0 = split;
    out.ruler = {split, area.y0, area.x1, area.y0 + ruler};
    out.names = {area.x0, area.y0 + top, split, bottom};
    out.lanes_area = {split, area.y0 + top, area.x1, bottom};
    out.scale = {request.selection.visible, split, area.x1};
    place_lanes_below_ruler(request, out);
    if (const float ready = ready_height(request) * em; ready > 0)
        out.ready =
            layout_ready(request.replay, request.index, out.scale,
                         {split, area.y0 + top - ready, area.x1, area.y0 + top}, request.metrics, request.most_ready);
    if (request.minimap) out.minimap = layout_minimap(request, {split, request.area.y0, area.x1, area.y0 - 0.2F * em});
}

}  // namespace

const Zone* Timeline::zone_at(Point p) const noexcept {
    if (!lanes_area.contains(p)) return nullptr;
    for (const Zone& zone : zones)
        if (zone.rect.contains(p)) return &zone;
    return nullptr;
}

bool Timeline::has_shares() const noexcept {
    return std::any_of(zones.begin(), zones.end(), [](const Zone& z) { return z.merged && !z.rect.empty(); });
}

Rect Timeline::pin_of(const Lane& lane, float em) const noexcept {
    constexpr float kLeastForPin = 0.8F;  // em
    if (lane.heading || lane_height < kLeastForPin * em) return {};
    return {names.x1 - kPin * em, lane.rect.y0, names.x1, lane.rect.y1};
}

const Lane* Timeline::lane_at(float y) const noexcept {
    if (y < lanes_area.y0 || y >= lanes_area.y1) return nullptr;
    for (const Lane& lane : lanes)
        if (y >= lane.rect.y0 && y < lane.rect.y1) return &lane;
    return nullptr;
}

namespace {

std::optional<float> middle_of(const Timeline& timeline, std::optional<std::uint32_t> place) noexcept {
    if (!place) return std::nullopt;
    const float y = timeline.lanes_area.y0 + (static_cast<float>(*place) + 0.5F) * timeline.lane_height;
    if (y < timeline.pinned_end) return y;
    const float scrolled = y - timeline.scroll;
    const bool hidden = timeline.pinned_end > timeline.lanes_area.y0 && scrolled < timeline.pinned_end;
    return hidden ? timeline.pinned_end : scrolled;
}

}  // namespace

std::optional<float> lane_middle(const Timeline& timeline, std::uint32_t co) noexcept {
    return middle_of(timeline, timeline.table.place_of(co));
}

std::optional<float> machine_middle(const Timeline& timeline, std::uint32_t m) noexcept {
    return middle_of(timeline, timeline.table.place_of_machine(m));
}

std::optional<float> scroll_to_see(const Timeline& timeline, std::uint32_t co) noexcept {
    const auto place = timeline.table.place_of(co);
    const Rect& area = timeline.lanes_area;
    const float half = timeline.lane_height / 2, y = place ? *lane_middle(timeline, co) : 0;
    if (!place || y < timeline.pinned_end || (y - half >= timeline.pinned_end - 1 && y + half <= area.y1 + 1))
        return std::nullopt;
    const float middle = (timeline.pinned_end + area.y1) / 2 - area.y0;
    return static_cast<float>(*place) + 0.5F - middle / timeline.lane_height;
}

std::vector<LowName> low_names(const Timeline& timeline, float em) {
    constexpr float kLine = 1.1F, kLeft = 1.85F;  // em
    const Rect area = timeline.names;
    const auto top_of = [&](const Lane& lane) {
        return std::clamp(lane.rect.middle_y() - em / 2, area.y0, std::max(area.y0, area.y1 - em));
    };
    const auto chosen =
        std::find_if(timeline.lanes.begin(), timeline.lanes.end(), [](const Lane& lane) { return lane.chosen; });
    const float kept = chosen == timeline.lanes.end() ? -1e9F : top_of(*chosen);
    std::vector<LowName> names;
    float free = area.y0;
    for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
        const Lane& lane = timeline.lanes[i];
        const float y = top_of(lane);
        if (!lane.chosen && (y < free || std::abs(y - kept) < kLine * em)) continue;
        names.push_back({i, {area.x0 + kLeft * em, y, area.x1, y + em}});
        free = y + kLine * em;
    }
    return names;
}

float wanted_names_width(const trace::Replay& replay, const TraceIndex& index, const Metrics& metrics) {
    constexpr std::uint32_t kMeasured = 200;
    return name_width(replay, index, metrics, std::min(kMeasured, lane_count(index)));
}

float wanted_timeline_height(const TraceIndex& index, float em) noexcept {
    return em * (kTimelineRuler + choice_lane_height(index) + ready_lane_height(index) +
                 kComfortable * static_cast<float>(lane_count(index)));
}

float least_timeline_height(const TraceIndex& index, float em) noexcept {
    return em * (kTimelineRuler + choice_lane_height(index) + ready_lane_height(index) +
                 kTimelineLeast * static_cast<float>(lane_count(index)));
}

namespace {

using Taken = std::vector<Range>;  // pixels of a lane covered by marks

std::vector<Taken> taken_by_marks(const Metrics& metrics, const Timeline& timeline) {
    std::vector<Taken> taken(timeline.lanes.size());
    for (const Mark& mark : timeline.marks) {
        const float label = mark.text.empty() || mark.count > 1 ? 0 : metrics.width(mark.text) + 0.4F * metrics.em;
        const float above = mark.at.y - timeline.lanes.front().rect.y0;
        const auto lane = static_cast<std::size_t>(std::max(0.0F, above / timeline.lane_height));
        if (lane < taken.size())
            taken[lane].push_back(
                {static_cast<double>(mark.at.x - mark.size - label), static_cast<double>(mark.at.x + mark.size)});
    }
    for (const Steal& steal : timeline.steals) {  // the count is beside the middle of the arrow
        const float y = (steal.y0 + steal.y1) / 2, half = 0.6F * metrics.em,
                    width = metrics.width(steal.count) * kTimelineBold + 0.9F * metrics.em;
        const bool left = steal.x - width >= timeline.lanes_area.x0;
        const Range label{static_cast<double>(left ? steal.x - width : steal.x),
                          static_cast<double>(left ? steal.x : steal.x + width)};
        for (std::size_t i = 0; i < taken.size() && !steal.count.empty(); ++i)
            if (timeline.lanes[i].rect.y0 < y + half && timeline.lanes[i].rect.y1 > y - half) taken[i].push_back(label);
    }
    for (Taken& lane : taken) std::sort(lane.begin(), lane.end(), [](Range a, Range b) { return a.from < b.from; });
    return taken;
}

/// Places a zone's letter at its beginning or after the marks there; omits it if there is no room.
void place_text(const Metrics& metrics, const Taken& taken, Zone& zone) {
    const double width = static_cast<double>(metrics.width(zone.text)), gap = 0.1 * static_cast<double>(metrics.em);
    double x = static_cast<double>(zone.rect.x0 + 0.25F * metrics.em);
    for (const Range& mark : taken)
        if (mark.from < x + width && x < mark.to) x = mark.to + gap;
    zone.text_x = static_cast<float>(x);
    if (zone.text_x > zone.rect.x0 + 0.3F * metrics.em && x + width > static_cast<double>(zone.rect.x1))
        zone.text.clear();
}

/// Omits the name in the middle of a machine's zone if the count of a steal covers it.
void leave_out_covered(const Metrics& metrics, Rect area, const Taken& taken, Zone& zone) {
    const double middle = static_cast<double>(std::max(zone.rect.x0, area.x0) + std::min(zone.rect.x1, area.x1)) / 2,
                 half = static_cast<double>(metrics.width(zone.text)) / 2;
    for (const Range& mark : taken)
        if (mark.from < middle + half && middle - half < mark.to) return zone.text.clear();
}

void place_texts(const Metrics& metrics, Timeline& timeline) {
    if (timeline.lanes.empty() || timeline.lane_height <= 0) return;
    if (timeline.lane_height < kLetters * metrics.em)
        for (Zone& zone : timeline.zones) zone.text.clear();
    const std::vector<Taken> taken = taken_by_marks(metrics, timeline);
    for (Zone& zone : timeline.zones) {
        const float above = zone.rect.middle_y() - timeline.lanes.front().rect.y0;
        const auto lane = static_cast<std::size_t>(std::max(0.0F, above / timeline.lane_height));
        if (zone.text.empty() || lane >= taken.size()) continue;
        if (zone.on_machine)
            leave_out_covered(metrics, timeline.lanes_area, taken[lane], zone);
        else
            place_text(metrics, taken[lane], zone);
    }
}

}  // namespace

namespace {

void place_region(const TimelineRequest& request, Timeline& out) {
    if (!request.selection.region) return;
    const Range span = *request.selection.region;
    const float x0 = std::max(out.scale.x(span.from), out.ruler.x0), x1 = std::min(out.scale.x(span.to), out.ruler.x1);
    if (x1 < out.ruler.x0 || x0 > out.ruler.x1) return;
    out.region = {x0, out.ruler.y0, std::max(x1, x0 + 1), out.lanes_area.y1};
    out.region_sentence = exact_time(static_cast<std::uint64_t>(std::llround(std::max(0.0, span.span()))));
}

}  // namespace

Timeline layout_timeline(const TimelineRequest& request) {
    Timeline out;
    place_areas(request, out);
    for (const Lane& lane : out.lanes) {
        if (lane.machine)
            add_machine_zones(request, out.scale, lane, out.zones);
        else if (!lane.heading)
            add_coroutine_zones(request, out.scale, lane, out.zones);
    }
    place_region(request, out);
    out.arrows = layout_arrows(request, out);
    out.steals = layout_steals(request, out);
    out.marks = layout_marks(request, out);
    place_texts(request.metrics, out);
    out.ticks = ticks(out.scale, 6.5F * request.metrics.em);
    const std::size_t playhead = request.selection.playhead;
    out.playhead_t = playhead == 0 ? 0 : static_cast<double>(request.replay.trace()[playhead - 1].t);
    if (request.selection.moment) out.playhead_t = *request.selection.moment;
    out.playhead_x = out.scale.x(out.playhead_t);
    return out;
}

}  // namespace fiberscope::viewer
