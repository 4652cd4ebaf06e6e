// The signs that stand for one moment: on the lanes, in the legend, in the panels.
#pragma once

#include "viewer/layout/timeline.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws the sign of `kind` with its middle at `at`, half as wide as `size`.
void draw_sign(const Canvas& canvas, Point at, float size, MarkKind kind);

/// Draws a mark with the words that it has room for.
void draw_mark(const Canvas& canvas, const Mark& mark);

}  // namespace fiberscope::viewer
