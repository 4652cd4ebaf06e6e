#include "viewer/layout/page/modes.h"

namespace fiberscope::viewer {
namespace {

constexpr float kModeSide = 0.5F, kModeGap = 0.25F;  // em: padding of a tab, gap between tabs

std::vector<ModeTab> in_a_row(const std::vector<ModeWord>& words, bool keys, const Metrics& metrics) {
    std::vector<ModeTab> tabs;
    float x = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string text = keys && !words[i].key.empty() ? words[i].word + "  " + words[i].key : words[i].word;
        const float width = metrics.width(text) + 2 * kModeSide * metrics.em;
        tabs.push_back({{x, 0, x + width, 0}, std::move(text), i});
        x += width + kModeGap * metrics.em;
    }
    return tabs;
}

}  // namespace

std::vector<ModeTab> layout_modes(Rect area, const std::vector<ModeWord>& words, const Metrics& metrics) {
    if (words.empty()) return {};
    std::vector<ModeTab> tabs = in_a_row(words, true, metrics);
    if (tabs.back().rect.x1 > area.width()) tabs = in_a_row(words, false, metrics);
    while (tabs.size() > 1 && tabs.back().rect.x1 > area.width()) {
        const Rect left_out = tabs[tabs.size() - 2].rect;
        tabs.erase(tabs.end() - 2);
        Rect& last = tabs.back().rect;
        last = {left_out.x0, 0, left_out.x0 + last.width(), 0};
    }
    const float by = area.x1 - tabs.back().rect.x1;
    for (ModeTab& tab : tabs) tab.rect = {tab.rect.x0 + by, area.y0, tab.rect.x1 + by, area.y1};
    return tabs;
}

}  // namespace fiberscope::viewer
