#include "viewer/layout/page/overlay.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

constexpr float kOverlayRuler = 1.8F, kMostBand = 1.5F, kOverlayLeastRow = 1.0F;  // em
constexpr float kLeastBand = 5;                                                   // pixels
constexpr double kSameWithin = 0.01;                                              // of the longest run

std::uint32_t kind_of(const OverlayFile& file, std::uint32_t co) {
    const std::uint32_t spawn = file.index.spawn(co);
    return spawn == kNone ? kNone : static_cast<std::uint32_t>(file.replay.trace()[spawn].first<trace::CoKind>());
}

/// Whether the coroutines of a match do the same at the same times.
bool is_same(std::span<const OverlayFile> files, const OverlayMatch& match, double within) {
    if (match.machine || std::find(match.ids.begin(), match.ids.end(), kNone) != match.ids.end()) return false;
    const auto first = files[0].replay.stretches(match.ids[0]);
    const auto near = [&](std::uint64_t a, std::uint64_t b) {
        return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= within;
    };
    for (std::size_t f = 1; f < files.size(); ++f) {
        const auto other = files[f].replay.stretches(match.ids[f]);
        const bool same =
            std::equal(first.begin(), first.end(), other.begin(), other.end(), [&](const auto& a, const auto& b) {
                return a.state == b.state && near(a.from, b.from) && near(a.to, b.to);
            });
        if (!same) return false;
    }
    return true;
}

void add_bands(std::span<const OverlayFile> files, const OverlayMatch& match, Rect row, const Metrics& metrics,
               Overlay& out) {
    const float height = row.height() / static_cast<float>(files.size());
    for (std::size_t f = 0; f < files.size(); ++f) {
        const OverlayFile& file = files[f];
        OverlayBand band;
        band.rect = {row.x0, row.y0 + height * static_cast<float>(f), row.x1,
                     row.y0 + height * static_cast<float>(f + 1)};
        band.file = f;
        band.machine = match.machine;
        band.id = match.ids[f];
        if (height >= 0.95F * metrics.em) band.number = std::to_string(f + 1);
        const TimeScale scale{file.selection.visible, row.x0, row.x1};
        const std::size_t at = file.selection.playhead;
        const double now = file.selection.moment.value_or(
            at == 0 ? 0 : static_cast<double>(file.replay.trace()[std::min(at, file.replay.size()) - 1].t));
        if (scale.range.contains(now)) band.playhead = scale.x(now);
        if (band.id != kNone) {
            const TimelineRequest request{file.replay, file.index, file.selection, band.rect, metrics};
            Lane lane;
            lane.rect = band.rect;
            lane.machine = match.machine;
            lane.id = band.id;
            if (match.machine)
                add_machine_zones(request, scale, lane, out.drawing.zones);
            else
                add_coroutine_zones(request, scale, lane, out.drawing.zones);
        }
        out.bands.push_back(std::move(band));
    }
}

float differences_height(std::span<const OverlayFile> files) noexcept {
    float height = 0;
    for (const OverlayFile& file : files) height += difference_lane_height(file.differences);
    return height;
}

void add_differences(std::span<const OverlayFile> files, const Metrics& metrics, Overlay& out) {
    float y = out.ruler.y1;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const float end = y + difference_lane_height(files[f].differences) * metrics.em;
        const TimeScale scale{files[f].selection.visible, out.scale.x0, out.scale.x1};
        out.differences.push_back(layout_differences(files[f].differences, scale, metrics,
                                                     {out.names.x0, y, out.ruler.x0, end},
                                                     {out.ruler.x0, y, out.ruler.x1, end}));
        if (DifferenceLane& lane = out.differences.back(); !lane.rect.empty())
            lane.name = std::to_string(f + 1) + "  " + lane.name;
        y = end;
    }
}

std::string names_of_same(const std::vector<OverlayMatch>& matches, Language language) {
    constexpr std::size_t kMost = 6;
    std::string names;
    std::size_t count = 0;
    for (const OverlayMatch& match : matches) {
        if (!match.same) continue;
        if (++count <= kMost) names += (names.empty() ? "" : say(language, mark(", ", "list"))) + match.name;
    }
    if (count > kMost) names = say(language, "{0} and {1} more", names, count - kMost);
    return names.empty() ? names : say(language, "not drawn, for they do not differ (I): {0}", names);
}

}  // namespace

std::vector<OverlayMatch> match_lanes(std::span<const OverlayFile> files, Language language) {
    std::vector<OverlayMatch> matches;
    std::uint32_t machines = 0;
    double longest = 0;
    for (const OverlayFile& file : files) {
        machines = std::max(machines, file.index.machines());
        longest = std::max(longest, static_cast<double>(file.index.duration()));
    }
    for (std::uint32_t m = 0; m < machines; ++m) {
        OverlayMatch match{say(language, "machine {0}", m), true, {}, false};
        for (const OverlayFile& file : files) match.ids.push_back(m < file.index.machines() ? m : kNone);
        matches.push_back(std::move(match));
    }
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> places;
    for (std::size_t f = 0; f < files.size(); ++f)
        for (std::uint32_t co = 0; co < files[f].index.coroutines(); ++co) {
            const std::string name = files[f].replay.trace().name(co);
            const auto [at, is_new] = places.try_emplace({name, kind_of(files[f], co)}, matches.size());
            if (is_new) matches.push_back({name, false, std::vector<std::uint32_t>(files.size(), kNone), false});
            std::uint32_t& id = matches[at->second].ids[f];
            if (id == kNone) id = co;
        }
    for (OverlayMatch& match : matches) match.same = is_same(files, match, kSameWithin * longest);
    return matches;
}

namespace {

float least_row_height(std::size_t files, float em) noexcept {
    return std::max(kOverlayLeastRow * em, kLeastBand * static_cast<float>(files));
}

/// Without places: the rows that are shown.
std::vector<const OverlayMatch*> shown_rows(const std::vector<OverlayMatch>& matches, bool folds) {
    std::vector<const OverlayMatch*> shown;
    for (const OverlayMatch& match : matches)
        if (!folds || !match.same) shown.push_back(&match);
    return shown;
}

float names_width(const std::vector<const OverlayMatch*>& shown, const Metrics& metrics) {
    constexpr float kBold = 1.15F, kLeast = 6, kMost = 17;  // em
    float names = kLeast * metrics.em;
    for (const OverlayMatch* match : shown)
        names = std::max(names, kBold * metrics.width(match->name) + 0.8F * metrics.em);
    return std::min(names, kMost * metrics.em);
}

/// The heights of the rows and what of them is in sight, in a room so high.
void scroll_rows(Overlay& out, std::size_t rows, std::size_t files, float room, float em, float scroll) {
    const auto count = static_cast<float>(std::max<std::size_t>(1, rows)), bands = static_cast<float>(files);
    out.row_height = std::clamp(room / count, least_row_height(files, em), kMostBand * em * bands);
    if (out.row_height * count > room + 1)  // whole rows, none is cut below
        out.row_height = room / std::max(1.0F, std::floor(room / out.row_height));
    out.content_height = out.row_height * count;
    out.scroll = std::clamp(std::round(scroll) * out.row_height, 0.0F, std::max(0.0F, out.content_height - room));
}

/// The areas, from the top `top` pixels high down.
void place_parts(Overlay& out, Rect area, float names, float top, const Selection& leader, float em) {
    const float bottom = std::min(area.y1, area.y0 + top + out.content_height);
    out.ruler = {area.x0 + names, area.y0, area.x1, area.y0 + kOverlayRuler * em};
    out.names = {area.x0, area.y0 + top, out.ruler.x0, bottom};
    out.lanes_area = {out.ruler.x0, area.y0 + top, area.x1, bottom};
    out.scale = {leader.visible, out.ruler.x0, area.x1};
    out.drawing.names = out.names;
    out.drawing.ruler = out.ruler;
    out.drawing.lanes_area = out.lanes_area;
    out.drawing.scale = out.scale;
    out.drawing.ticks = ticks(out.scale, 6.5F * em);
}

void add_rows(std::span<const OverlayFile> files, const std::vector<const OverlayMatch*>& shown, const Metrics& metrics,
              Overlay& out) {
    const Rect area = out.lanes_area;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const float y = area.y0 - out.scroll + out.row_height * static_cast<float>(i);
        if (y + out.row_height <= area.y0 + 1 || y >= area.y1 - 1) continue;
        OverlayRow row;
        row.rect = {area.x0, y + 1, area.x1, y + out.row_height - 1};
        row.name_rect = {out.names.x0, y, area.x0, y + out.row_height};
        row.name = shown[i]->name;
        row.odd = i % 2 != 0;
        for (std::size_t f = 0; f < files.size(); ++f)
            row.chosen = row.chosen || (!shown[i]->machine && shown[i]->ids[f] != kNone &&
                                        shown[i]->ids[f] == files[f].selection.chosen);
        add_bands(files, *shown[i], row.rect, metrics, out);
        out.rows.push_back(std::move(row));
    }
    for (Zone& zone : out.drawing.zones) {
        zone.text_x = zone.rect.x0 + 0.25F * metrics.em;
        if (zone.rect.height() < 0.8F * metrics.em) zone.text.clear();
    }
}

}  // namespace

Overlay layout_overlay(std::span<const OverlayFile> files, const std::vector<OverlayMatch>& matches, std::size_t leader,
                       Rect area, const Metrics& metrics, float scroll, bool folds) {
    Overlay out;
    const float em = metrics.em, top = (kOverlayRuler + differences_height(files)) * em;
    const std::vector<const OverlayMatch*> shown = shown_rows(matches, folds);
    if (folds) out.same_words = names_of_same(matches, metrics.language);
    scroll_rows(out, shown.size(), files.size(), area.height() - top, em, scroll);
    place_parts(out, area, names_width(shown, metrics), top, files[leader].selection, em);
    add_differences(files, metrics, out);
    add_rows(files, shown, metrics, out);
    return out;
}

float least_overlay_height(std::span<const OverlayFile> files, const std::vector<OverlayMatch>& matches, bool folds,
                           float em) {
    constexpr std::size_t kRows = 8;
    const auto rows = static_cast<float>(std::min(kRows, shown_rows(matches, folds).size()));
    return (kOverlayRuler + differences_height(files)) * em + rows * least_row_height(files.size(), em);
}

const OverlayBand* Overlay::band_at(Point p) const noexcept {
    for (const OverlayBand& band : bands)
        if (p.y >= band.rect.y0 && p.y < band.rect.y1) return &band;
    return nullptr;
}

}  // namespace fiberscope::viewer
