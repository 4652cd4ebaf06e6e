// Where the rows lie that show several traces at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// One trace: its title and sentence above, its timeline, and at the right its shared stacks, states or sets.
struct FileRow {
    std::size_t index = 0;  ///< of the trace
    Rect title, timeline;
    Rect aside;         ///< empty in a window too narrow for two columns
    bool ruler = true;  ///< false: that of the first row is this one's, too
};
///     ├ title ────────────────────────────┤
///     │ timeline           │ aside        │
///     ├ title ────────────────────────────┤
///     │ timeline           │ aside        │
///     ├ legend ───────────────────────────┤
///     └ playback ─────────────────────────┘
struct FileRows {
    std::vector<FileRow> rows;  ///< those that fit; the active one is among them
    std::size_t hidden = 0;     ///< how many do not fit
    Rect legend, playback;      ///< empty in a presentation
};

struct FileRowsWishes {
    float legend = 0;                   ///< height of its lines, pixels
    float ruler = 0;                    ///< height of the ruler that all rows share, pixels; 0: each has its own
    std::span<const float> above = {};  ///< of each trace: what it has above its lanes but the ruler, pixels
    bool wide = false;                  ///< what stands at the right needs half of the width
    bool present = false;               ///< large text: the rows get the room of the legend and of the playback
};
/// `wishes`: the height that each trace would like for its timeline, pixels.
FileRows layout_file_rows(Rect area, float em, std::span<const float> wishes, std::size_t active,
                          const FileRowsWishes& wish = {});

}  // namespace fiberscope::viewer
