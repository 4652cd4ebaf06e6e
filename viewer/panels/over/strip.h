// A line above the panels about the current event: a note of the lecture, a question.
#pragma once

#include <span>
#include <string>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws a strip for each nonempty text, from the top of `area`; returns their end.
float draw_strips(const Style& style, Rect area, std::span<const std::string> texts);

}  // namespace fiberscope::viewer
