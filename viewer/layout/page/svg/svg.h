// A timeline as an SVG picture, for slides and papers: lines and text that stay sharp at any size. Without a screen.
#pragma once

#include <string>

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

struct SvgRequest {
    const trace::Replay& replay;  ///< at the playhead
    const TraceIndex& index;
    const Selection& selection;
    float width = 1600, height = 900;  ///< of the picture; lanes that have no room are left out
    float em = 16;                     ///< height of the text
    Theme theme = Theme::light;
    Language language = Language::english;
};

/// The title, the sentence at the playhead with why, the axis, all lanes that have room, and the legend.
std::string svg_of(const SvgRequest& request);

}  // namespace fiberscope::viewer
