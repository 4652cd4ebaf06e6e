// What the panel of the sets is drawn with: titles, members, heaps and wheels.
#pragma once

#include <string>

#include "viewer/layout/base/selection.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Text that is already cut to fit, in the middle of `r`.
void draw_centred(const Canvas& canvas, Rect r, const std::string& text, Color color, const ImFont* font = nullptr);

/// The name of a set and what is said about it.
void draw_set_title(const Canvas& canvas, Rect r, const std::string& name, const std::string& words);

/// Whether the mouse is on `r`. A click there chooses `co`, unless it is kNone; the mouse upon it shows `detail`.
bool offer(Rect r, std::uint32_t co, const std::string& detail, Selection& selection);

/// The frame of a member: entered by the event at the playhead, chosen, or neither.
void draw_member_frame(const Canvas& canvas, Rect r, bool now, bool chosen);

/// The ground of a member: its state, or a timer's; returns the ink upon it.
Color draw_member_ground(const Canvas& canvas, Rect r, std::uint32_t co, trace::State state);

/// A frame of dashes: of what is on the way.
void draw_dashed_frame(const Canvas& canvas, Rect r, Color color, float thickness);
void draw_dashes(const Canvas& canvas, Point a, Point b, Color color, float thickness);

/// A hand from the middle of a circle to `tip`.
void draw_hand(const Canvas& canvas, Point middle, Point tip, Color color, float thickness);

void draw_heap(const Canvas& canvas, const HeapView& heap, Selection& selection);
void draw_wheel(const Canvas& canvas, const WheelView& wheel, Selection& selection);

}  // namespace fiberscope::viewer
