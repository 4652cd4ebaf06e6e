// The tabs of the files at the top of the window.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

struct FileTab {
    Rect rect;
    std::string text;  ///< as much of the title as fits; of the active file all but ".json"
    std::size_t file = 0;
};
struct FileTabs {
    std::vector<FileTab> tabs;
    /// "+2": files that have no room, before the first tab and behind the last; each leads to the nearest of them.
    /// Empty if there are none.
    std::string before, behind;
    Rect before_rect, behind_rect;
};

/// One row: whole titles; where they have no room, without ".json", then without what all begin with, then cut, but
/// for that of the active file; and what has no room even so is counted.
FileTabs layout_file_tabs(Rect area, const std::vector<std::string>& titles, std::size_t active,
                          const Metrics& metrics);

}  // namespace fiberscope::viewer
