// A strip above the panels that says something about the moment: a note of the lecture, a question.
#pragma once

#include <span>
#include <string>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws a strip for each text that is not empty, from the top of `area`; returns where they end.
float draw_strips(const Style& style, Rect area, std::span<const std::string> texts);

}  // namespace fiberscope::viewer
