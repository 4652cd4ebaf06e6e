// A line above the panels about the current event: a note of the lecture, a question.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws a strip for each nonempty text, from the top of `area`; returns their end. `clicked`: set to the index of the
/// text that was clicked, if any.
float draw_strips(const Style& style, Rect area, std::span<const std::string> texts,
                  std::optional<std::size_t>* clicked = nullptr);

}  // namespace fiberscope::viewer
