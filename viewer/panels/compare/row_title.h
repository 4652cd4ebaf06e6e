// The line above the lanes of one of several files, drawn.
#pragma once

#include "viewer/layout/trace_facts/row_title.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

void draw_row_title(const Canvas& canvas, Rect r, const trace::Trace& trace, const Sentence& words);

}  // namespace fiberscope::viewer
