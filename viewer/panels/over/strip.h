// A strip above the panels that says something about the moment: a note of the lecture, a question.
#pragma once

#include <string>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// The height that `text` needs in a strip of `width` pixels; 0 for no text.
float strip_height(const Style& style, float width, const std::string& text);

/// Draws it.
void draw_strip(const Style& style, Rect area, const std::string& text);

}  // namespace fiberscope::viewer
