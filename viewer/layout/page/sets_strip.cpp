#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/translated.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/page/overlay.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

constexpr float kSetsStripLine = 1.5F, kSetsStripMostName = 16;  // em
constexpr float kSetsStripBold = 1.15F;                          // bold text is at most so much wider
constexpr float kSetsStripLeast = 5;                             // em: of a column that says something
constexpr std::size_t kMostColumns = 5;

/// The names of the sets of all files, in the order in which they are declared.
std::vector<trace::Foreign> set_names(std::span<const OverlayFile> files) {
    std::vector<trace::Foreign> names;
    for (const OverlayFile& file : files)
        for (std::uint32_t set = 0; set < file.index.sets() && names.size() < kMostColumns; ++set) {
            const trace::Foreign name = file.replay.trace().set_name(set);
            if (file.index.set(set).declared && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
        }
    return names;
}

StripCell cell_of(const OverlayFile& file, trace::Foreign name, Rect rect, const Metrics& metrics) {
    StripCell cell;
    cell.rect = rect;
    const trace::Trace& trace = file.replay.trace();
    const auto sets = file.replay.sets();
    const auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& s) { return trace.text(s.name) == name; });
    cell.count = set == sets.end() ? "–" : std::to_string(set->members.size());
    if (set == sets.end()) return cell;
    const float em = metrics.em, side = 1.1F * em, y = rect.middle_y() - side / 2;
    float x = rect.x0 + metrics.width(cell.count) + 0.6F * em;
    for (std::size_t i = 0; i < set->members.size(); ++i) {
        const trace::Member& member = set->members[i];
        const std::string words = item_name(trace, member.co, member.timer, metrics.language);
        const std::size_t rest = set->members.size() - i;
        const std::string more = "+" + std::to_string(rest);
        const float wanted = side + 0.3F * em + metrics.width(words);
        if (x + wanted + (rest == 1 ? 0 : 0.5F * em + metrics.width(more)) > rect.x1) {
            if (x + metrics.width(more) <= rect.x1) cell.more = more;
            cell.more_at = {x, rect.y0};
            break;
        }
        const trace::State state =
            member.co == trace::kNone ? trace::State::new_ : file.replay.coroutine(member.co).state;
        cell.members.push_back({{x, y, x + side, y + side}, member.co, state, words});
        x += wanted + 0.5F * em;
    }
    return cell;
}

}  // namespace

float sets_strip_height(std::span<const OverlayFile> files) noexcept {
    const bool any = std::any_of(files.begin(), files.end(), [](const OverlayFile& f) { return f.index.sets() > 0; });
    return any ? 0.6F + kSetsStripLine * static_cast<float>(files.size() + 1) : 0;
}

SetsStrip layout_sets_strip(std::span<const OverlayFile> files, Rect area, const Metrics& metrics) {
    SetsStrip out;
    std::vector<trace::Foreign> names = set_names(files);
    const float em = metrics.em, height = kSetsStripLine * em;
    float width = 0;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const std::string title = std::to_string(f + 1) + "  " + trace::printable(files[f].replay.trace().head.program);
        out.files.push_back(
            {{area.x0, area.y0 + height * static_cast<float>(f + 1), 0, area.y0 + height * static_cast<float>(f + 2)},
             title});
        width = std::max(width, kSetsStripBold * metrics.width(title));
    }
    width = std::min(width + em, kSetsStripMostName * em);
    for (auto& [rect, title] : out.files) {
        rect.x1 = area.x0 + width;
        if (kSetsStripBold * metrics.width(title) > width) title.resize(1);  // the number is above the lanes too
    }
    const float fit = std::max(1.0F, (area.width() - width) / (kSetsStripLeast * em));
    if (names.size() > static_cast<std::size_t>(fit))
        names.erase(names.begin() + static_cast<std::ptrdiff_t>(fit), names.end());
    const float each = (area.width() - width) / static_cast<float>(std::max<std::size_t>(1, names.size()));
    const auto column = [&](std::size_t i, float y) {
        const float x = area.x0 + width + each * static_cast<float>(i);
        return Rect{x, y, x + each - 0.8F * em, y + height};
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Rect head = column(i, area.y0);
        const std::string name = trace::set_in(trace::printable(names[i]), metrics.language);
        const bool fits = kSetsStripBold * metrics.width(name) <= head.width();
        out.heads.push_back({head, fits ? name : fitting_lane_name(metrics, head.width() / kSetsStripBold, name)});
    }
    for (std::size_t f = 0; f < files.size(); ++f) {
        out.cells.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            out.cells.back().push_back(cell_of(files[f], names[i], column(i, out.files[f].first.y0), metrics));
    }
    return out;
}

}  // namespace fiberscope::viewer
