// Tabs of the modes: compare, predict, present … and the palette with all others.
#pragma once

#include <functional>
#include <optional>

#include "viewer/model/playback.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Draws a tab for each action that has one, up to the right end of `area`, with a frame around those that are `on`.
/// Returns the clicked action; `begin` is set to their left end, x.
std::optional<Action> draw_modes(const Style& style, Rect area, const std::function<bool(Action)>& on, float& begin);

}  // namespace fiberscope::viewer
