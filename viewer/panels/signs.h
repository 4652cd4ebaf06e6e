// The signs that stand for one moment: on the lanes, in the legend, in the panels.
#pragma once

#include <string>

#include "viewer/layout/timeline/timeline.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws the sign of `kind` with its middle at `at`, half as wide as `size`.
void draw_sign(const Canvas& canvas, Point at, float size, MarkKind kind);

/// Draws a mark with the words that it has room for.
void draw_mark(const Canvas& canvas, const Mark& mark);

/// The head of an arrow that comes from `a`, at `b`.
void draw_tip(const Canvas& canvas, Point a, Point b, Color color);

/// A steal: a thick arrow that begins with a ring at the victim and ends at the thief, with its count beside it.
void draw_steal(const Canvas& canvas, Point victim, Point thief, const std::string& count, bool now);

}  // namespace fiberscope::viewer
