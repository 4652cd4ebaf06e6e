// Signs of momentary events: on the lanes, in the legend, in the panels.
#pragma once

#include <string>

#include "viewer/layout/timeline/timeline.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws the sign of `kind` centred at `at`; `size` is half of its width.
void draw_sign(const Canvas& canvas, Point at, float size, MarkKind kind);

/// Merged marks: their number, in the colours of the most important one.
void draw_count(const Canvas& canvas, Rect r, MarkKind worst, const std::string& count);

/// Draws a mark on a lane of this height, with the text that fits.
void draw_mark(const Canvas& canvas, const Mark& mark, float lane_height);

/// A pin centred in `r`, for a pinned lane.
void draw_pin(const Canvas& canvas, Rect r, Color color);

/// The head of an arrow from `a`, at `b`.
void draw_tip(const Canvas& canvas, Point a, Point b, Color color);

/// A steal: a thick arrow from a ring at the victim to the thief, with its count beside it; several are a line.
void draw_steal(const Canvas& canvas, Point victim, Point thief, const std::string& count, bool now,
                bool several = false);

}  // namespace fiberscope::viewer
