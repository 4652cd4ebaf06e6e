// The tabs of what a window can do besides replaying one file, at the right of the tabs of the files.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// A tab as it should be written: "compare", "C".
struct ModeWord {
    std::string word, key;
};
struct ModeTab {
    Rect rect;
    std::string text;
    std::size_t index = 0;  ///< of its word
};

/// The tabs from left to right up to the right end of `area`: all with their keys; where there is no room for that, all
/// without; else as many as there is room for, and always the last one, which leads to the others.
std::vector<ModeTab> layout_modes(Rect area, const std::vector<ModeWord>& words, const Metrics& metrics);

}  // namespace fiberscope::viewer
