#include "viewer/layout/timeline/timeline.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

using trace::kNone;

constexpr float kComfortable = 2.2F, kLeast = 1.12F, kMost = 2.4F;  // heights of a lane, in em
constexpr float kLetters = 0.95F;                                   // em: a lower lane has no letters
constexpr float kBold = 1.15F;                                      // bold text is at most so much wider

std::uint32_t lane_count(const TraceIndex& index) noexcept { return index.machines() + index.coroutines(); }

std::string lane_name(const trace::Replay& replay, const TraceIndex& index, std::uint32_t row) {
    const std::uint32_t machines = index.machines();
    return row < machines ? "machine " + std::to_string(row) : replay.trace().name(row - machines);
}

/// "63 % busy"; of a trace without time nothing.
std::string busy_note(const TraceIndex& index, std::uint32_t m) {
    if (index.duration() == 0) return {};
    const double percent = 100 * index.busy_share(m);
    const bool nearly = percent > 99 && percent < 100;  // 100 % is said only where it is true
    return std::to_string(nearly ? 99 : static_cast<int>(percent + 0.5)) + " % busy";
}

/// As wide as the widest of the names of the lanes [first, last), within bounds.
float name_width(const trace::Replay& replay, const TraceIndex& index, const Metrics& metrics, std::uint32_t first,
                 std::uint32_t last) {
    float width = 0;
    for (std::uint32_t row = first; row < last; ++row)
        width = std::max(width, kBold * metrics.width(lane_name(replay, index, row)) +
                                    (row < index.machines() ? metrics.width(busy_note(index, row)) + metrics.em : 0));
    return std::clamp(width + 2.2F * metrics.em, 6 * metrics.em, 17 * metrics.em);
}

float least_lane(const TimelineRequest& request) noexcept {
    const float letters = kLeast * request.metrics.em;
    return request.least_lane > 0 ? std::min(request.least_lane, letters) : letters;
}

void place_areas(const TimelineRequest& request, Timeline& out) {
    const float em = request.metrics.em;
    const Rect& area = request.area;
    const float ruler = 1.8F * em;
    const auto count = lane_count(request.index);
    const float room = std::max(1.0F, area.height() - ruler);
    out.lane_height = std::clamp(room / static_cast<float>(std::max(1U, count)), least_lane(request), kMost * em);
    out.content_height = out.lane_height * static_cast<float>(count);
    out.scroll = std::clamp(request.scroll, 0.0F, std::max(0.0F, out.content_height - room));
    const auto first = static_cast<std::uint32_t>(out.scroll / out.lane_height);
    const auto last = std::min(count, first + static_cast<std::uint32_t>(room / out.lane_height) + 2);
    const float names = name_width(request.replay, request.index, request.metrics, first, last);
    const float split = std::min(area.x1 - 1, area.x0 + std::max(request.least_names, names));
    const float bottom = std::min(area.y1, area.y0 + ruler + out.content_height);
    out.ruler = {split, area.y0, area.x1, area.y0 + ruler};
    out.names = {area.x0, area.y0 + ruler, split, bottom};
    out.lanes_area = {split, area.y0 + ruler, area.x1, bottom};
    out.scale = {request.selection.visible, split, area.x1};
    for (std::uint32_t row = first; row < last; ++row) {
        Lane lane;
        const float y = out.lanes_area.y0 - out.scroll + static_cast<float>(row) * out.lane_height;
        if (y >= bottom) break;
        lane.rect = {out.lanes_area.x0, y, out.lanes_area.x1, y + out.lane_height};
        lane.machine = row < request.index.machines();
        lane.id = lane.machine ? row : row - request.index.machines();
        lane.name = lane_name(request.replay, request.index, row);
        if (lane.machine) lane.note = busy_note(request.index, lane.id);
        lane.chosen = !lane.machine && lane.id == request.selection.chosen;
        lane.odd = row % 2 != 0;
        out.lanes.push_back(std::move(lane));
    }
}

}  // namespace

const Zone* Timeline::zone_at(Point p) const noexcept {
    if (!lanes_area.contains(p)) return nullptr;
    for (const Zone& zone : zones)
        if (zone.rect.contains(p)) return &zone;
    return nullptr;
}

const Lane* Timeline::lane_at(float y) const noexcept {
    if (y < lanes_area.y0 || y >= lanes_area.y1) return nullptr;
    for (const Lane& lane : lanes)
        if (y >= lane.rect.y0 && y < lane.rect.y1) return &lane;
    return nullptr;
}

float lane_middle(const TimelineRequest& request, const Timeline& timeline, std::uint32_t co) noexcept {
    const auto row = static_cast<float>(request.index.machines() + co);
    return timeline.lanes_area.y0 - timeline.scroll + (row + 0.5F) * timeline.lane_height;
}

float wanted_names_width(const trace::Replay& replay, const TraceIndex& index, const Metrics& metrics) {
    constexpr std::uint32_t kMeasured = 200;
    return name_width(replay, index, metrics, 0, std::min(kMeasured, lane_count(index)));
}

float wanted_timeline_height(const TraceIndex& index, float em) noexcept {
    return em * (1.8F + kComfortable * static_cast<float>(lane_count(index)));
}

float least_timeline_height(const TraceIndex& index, float em) noexcept {
    return em * (1.8F + kLeast * static_cast<float>(lane_count(index)));
}

namespace {

using Taken = std::vector<Range>;  // pixels of one lane on which marks stand

std::vector<Taken> taken_by_marks(const Metrics& metrics, const Timeline& timeline) {
    std::vector<Taken> taken(timeline.lanes.size());
    for (const Mark& mark : timeline.marks) {
        const float label = mark.text.empty() ? 0 : metrics.width(mark.text) + 0.4F * metrics.em;
        const float above = mark.at.y - timeline.lanes.front().rect.y0;
        const auto lane = static_cast<std::size_t>(std::max(0.0F, above / timeline.lane_height));
        if (lane < taken.size())
            taken[lane].push_back(
                {static_cast<double>(mark.at.x - mark.size - label), static_cast<double>(mark.at.x + mark.size)});
    }
    for (Taken& lane : taken) std::sort(lane.begin(), lane.end(), [](Range a, Range b) { return a.from < b.from; });
    return taken;
}

/// The letter of a zone stands at its beginning, or behind the marks there; without room it is left out.
void place_text(const Metrics& metrics, const Taken& taken, Zone& zone) {
    const double width = static_cast<double>(metrics.width(zone.text)), gap = 0.1 * static_cast<double>(metrics.em);
    double x = static_cast<double>(zone.rect.x0 + 0.25F * metrics.em);
    for (const Range& mark : taken)
        if (mark.from < x + width && x < mark.to) x = mark.to + gap;
    zone.text_x = static_cast<float>(x);
    if (zone.text_x > zone.rect.x0 + 0.3F * metrics.em && x + width > static_cast<double>(zone.rect.x1))
        zone.text.clear();
}

void place_texts(const Metrics& metrics, Timeline& timeline) {
    if (timeline.lanes.empty() || timeline.lane_height <= 0) return;
    if (timeline.lane_height < kLetters * metrics.em)
        for (Zone& zone : timeline.zones) zone.text.clear();
    const std::vector<Taken> taken = taken_by_marks(metrics, timeline);
    for (Zone& zone : timeline.zones) {
        const float above = zone.rect.middle_y() - timeline.lanes.front().rect.y0;
        const auto lane = static_cast<std::size_t>(std::max(0.0F, above / timeline.lane_height));
        if (!zone.text.empty() && !zone.on_machine && lane < taken.size()) place_text(metrics, taken[lane], zone);
    }
}

}  // namespace

Timeline layout_timeline(const TimelineRequest& request) {
    Timeline out;
    place_areas(request, out);
    for (const Lane& lane : out.lanes) {
        if (lane.machine)
            add_machine_zones(request, out.scale, lane, out.zones);
        else
            add_coroutine_zones(request, out.scale, lane, out.zones);
    }
    out.arrows = layout_arrows(request, out);
    out.steals = layout_steals(request, out);
    out.marks = layout_copy_marks(request, out);
    for (Mark& mark : layout_marks(request, out)) out.marks.push_back(std::move(mark));
    place_texts(request.metrics, out);
    out.ticks = ticks(out.scale, 6.5F * request.metrics.em);
    for (const double t : request.differences)
        if (out.scale.range.contains(t)) out.differences.push_back(out.scale.x(t));
    const std::size_t playhead = request.selection.playhead;
    out.playhead_t = playhead == 0 ? 0 : static_cast<double>(request.replay.trace()[playhead - 1].t);
    if (request.selection.moment) out.playhead_t = *request.selection.moment;
    out.playhead_x = out.scale.x(out.playhead_t);
    return out;
}

}  // namespace fiberscope::viewer
