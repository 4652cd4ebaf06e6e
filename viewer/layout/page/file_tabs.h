// Tabs of the open files at the top of the window.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

struct FileTab {
    Rect rect;
    std::string text;  ///< shortened title; for the active file, at most ".json" is removed
    std::size_t file = 0;
};
struct FileTabs {
    std::vector<FileTab> tabs;
    /// "+2": number of files without a tab before the first and after the last one; a click opens the nearest. Empty if
    /// there are none.
    std::string before, behind;
    Rect before_rect, behind_rect;
};

/// Lays the tabs out in one row. If the titles do not fit, ".json" is dropped, then the common prefix, then titles
/// other than the active one are truncated; tabs that still do not fit are counted.
FileTabs layout_file_tabs(Rect area, const std::vector<std::string>& titles, std::size_t active,
                          const Metrics& metrics);

}  // namespace fiberscope::viewer
