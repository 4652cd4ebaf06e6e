#include "viewer/layout/page/file_tabs.h"

#include <algorithm>
#include <utility>

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kFileSide = 0.5F, kFileGap = 0.25F;  // em: padding of a tab, gap between tabs
constexpr float kFileLeast = 4;                      // em: minimum useful width of a title

float tab_width(const std::string& text, const Metrics& metrics) {
    return metrics.width(text) + 2 * kFileSide * metrics.em;
}

/// Width of the tabs [first, end) with the gaps between them.
float width_of(const std::vector<std::string>& texts, std::size_t first, std::size_t end, const Metrics& metrics) {
    float width = kFileGap * metrics.em * static_cast<float>(end - first - 1);
    for (std::size_t i = first; i < end; ++i) width += tab_width(texts[i], metrics);
    return width;
}

bool all_fit(const std::vector<std::string>& texts, float room, const Metrics& metrics) {
    return width_of(texts, 0, texts.size(), metrics) <= room;
}

/// The shortened titles if all tabs fit, else empty.
std::vector<std::string> shortened(std::vector<std::string> texts, std::size_t active, float room,
                                   const Metrics& metrics) {
    if (all_fit(texts, room, metrics)) return texts;
    for (std::string& text : texts)
        if (text.ends_with(".json")) text.resize(text.size() - 5);
    if (all_fit(texts, room, metrics)) return texts;
    const std::string whole = texts[active];
    texts = without_same_beginning(std::move(texts));
    texts[active] = whole;
    return texts;
}

/// Truncates all titles except the active one to `most` pixels.
void cut_others(std::vector<std::string>& texts, std::size_t active, float most, const Metrics& metrics) {
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (i != active && metrics.width(texts[i]) > most) texts[i] = fitting_beginning(metrics, most, texts[i]);
}

/// Maximum width of the inactive tabs at which all fit.
float width_for_all(const std::vector<std::string>& texts, std::size_t active, float room, const Metrics& metrics) {
    std::vector<float> widths;
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (i != active) widths.push_back(metrics.width(texts[i]));
    const auto count = static_cast<float>(texts.size());
    const float around = (2 * kFileSide * count + kFileGap * (count - 1)) * metrics.em;
    return common_width(room - metrics.width(texts[active]) - around, std::move(widths));
}

void place(FileTabs& out, Rect area, const std::vector<std::string>& texts, std::size_t first, std::size_t end,
           const Metrics& metrics) {
    float x = area.x0;
    const auto next = [&](const std::string& text) {
        const Rect rect{x, area.y0, x + tab_width(text, metrics), area.y1};
        x = rect.x1 + kFileGap * metrics.em;
        return rect;
    };
    if (first > 0) {
        out.before = "+" + std::to_string(first);
        out.before_rect = next(out.before);
    }
    for (std::size_t i = first; i < end; ++i) out.tabs.push_back({next(texts[i]), texts[i], i});
    if (end == texts.size()) return;
    out.behind = "+" + std::to_string(texts.size() - end);
    out.behind_rect = next(out.behind);
}

}  // namespace

FileTabs layout_file_tabs(Rect area, const std::vector<std::string>& titles, std::size_t active,
                          const Metrics& metrics) {
    FileTabs out;
    if (titles.empty()) return out;
    std::vector<std::string> texts = shortened(titles, active, area.width(), metrics);
    const float share = width_for_all(texts, active, area.width(), metrics), least = kFileLeast * metrics.em;
    const bool fit = all_fit(texts, area.width(), metrics);
    if (!fit) cut_others(texts, active, std::max(share, least), metrics);
    std::size_t first = 0, end = texts.size();
    if (!fit && share < least) {
        // As many tabs as fit beside the active one and the counts; those after it first.
        const float counts = 2 * (tab_width("+" + std::to_string(texts.size()), metrics) + kFileGap * metrics.em);
        first = active;
        end = active + 1;
        const auto more = [&](std::size_t from, std::size_t to) {
            return width_of(texts, from, to, metrics) + counts <= area.width();
        };
        while (end < texts.size() && more(first, end + 1)) ++end;
        while (first > 0 && more(first - 1, end)) --first;
    }
    place(out, area, texts, first, end, metrics);
    return out;
}

}  // namespace fiberscope::viewer
