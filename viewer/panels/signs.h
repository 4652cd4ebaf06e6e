// The signs that stand for one moment: on the lanes, in the legend, in the panels.
#pragma once

#include <string>

#include "viewer/layout/timeline/timeline.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws the sign of `kind` with its middle at `at`, half as wide as `size`.
void draw_sign(const Canvas& canvas, Point at, float size, MarkKind kind);

/// Several marks: how many, in the colours of the most important.
void draw_count(const Canvas& canvas, Rect r, MarkKind worst, const std::string& count);

/// Draws a mark on a lane of this height, with the words that it has room for.
void draw_mark(const Canvas& canvas, const Mark& mark, float lane_height);

/// A pin in the middle of `r`: of a lane that is held at the top.
void draw_pin(const Canvas& canvas, Rect r, Color color);

/// The head of an arrow that comes from `a`, at `b`.
void draw_tip(const Canvas& canvas, Point a, Point b, Color color);

/// A steal: a thick arrow that begins with a ring at the victim and ends at the thief, with its count beside it;
/// several are a line.
void draw_steal(const Canvas& canvas, Point victim, Point thief, const std::string& count, bool now,
                bool several = false);

}  // namespace fiberscope::viewer
