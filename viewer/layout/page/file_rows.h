// Positions of the rows that show several traces at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// One trace: title and sentence above, the timeline, and its shared stacks, states or sets at the right.
struct FileRow {
    std::size_t index = 0;  ///< of the trace
    Rect title, timeline;
    Rect aside;         ///< empty if the window is too narrow for two columns
    bool ruler = true;  ///< false: shares the ruler of the first row
};
///     ├ title ────────────────────────────┤
///     │ timeline           │ aside        │
///     ├ title ────────────────────────────┤
///     │ timeline           │ aside        │
///     ├ legend ───────────────────────────┤
///     └ playback ─────────────────────────┘
struct FileRows {
    std::vector<FileRow> rows;  ///< those that fit, including the active one
    std::size_t hidden = 0;     ///< number of rows that do not fit
    Rect legend, playback;      ///< empty in a presentation
};

struct FileRowsWishes {
    float legend = 0;                   ///< height of the legend's lines, pixels
    float ruler = 0;                    ///< height of a ruler shared by all rows, pixels; 0: each has its own
    std::span<const float> above = {};  ///< by trace: height of the parts above the lanes except the ruler, pixels
    bool wide = false;                  ///< the right column needs half of the width
    bool present = false;               ///< large text; no legend and no playback bar
};
/// `wishes`: the preferred height of each trace's timeline, pixels.
FileRows layout_file_rows(Rect area, float em, std::span<const float> wishes, std::size_t active,
                          const FileRowsWishes& wish = {});

}  // namespace fiberscope::viewer
