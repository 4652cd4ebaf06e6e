// Tabs of the window's other modes, at the right of the file tabs.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// Text and key of a tab: "compare", "C".
struct ModeWord {
    std::string word, key;
};
struct ModeTab {
    Rect rect;
    std::string text;
    std::size_t index = 0;  ///< of its word
};

/// Lays the tabs out to the right end of `area`: all with their keys; if they do not fit, all without; else as many as
/// fit, always including the last one, which leads to the others.
std::vector<ModeTab> layout_modes(Rect area, const std::vector<ModeWord>& words, const Metrics& metrics);

}  // namespace fiberscope::viewer
