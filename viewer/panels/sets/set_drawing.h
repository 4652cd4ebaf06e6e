// Drawing of sets, and its primitives.
#pragma once

#include <string>

#include "viewer/layout/base/selection.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Already fitted text, centred in `r`.
void draw_centred(const Canvas& canvas, Rect r, const std::string& text, Color color, const ImFont* font = nullptr);

/// A dashed frame, for items in transit.
void draw_dashed_frame(const Canvas& canvas, Rect r, Color color, float thickness);
void draw_dashes(const Canvas& canvas, Point a, Point b, Color color, float thickness);

/// A hand from the middle of a circle to `tip`.
void draw_hand(const Canvas& canvas, Point middle, Point tip, Color color, float thickness);

/// A set of any structure; a click on a member selects it. `queue`: it is a row of boxes.
void draw_set(const Canvas& canvas, const SetView& view, bool queue, Selection& selection);

}  // namespace fiberscope::viewer
