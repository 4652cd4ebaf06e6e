// Tabs of the modes: compare, predict, present … and the palette with all others.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "viewer/layout/page/modes.h"
#include "viewer/model/playback.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Indices of the words of the clicked tab and of the one under the mouse.
struct TabsUsed {
    std::optional<std::size_t> clicked, hovered;
};
/// Draws `tabs`, with a frame around those that are `on`, by the index of their word.
TabsUsed draw_tab_row(const Style& style, std::span<const ModeTab> tabs, const std::function<bool(std::size_t)>& on);

/// Draws a tab for each action that has one, with its key if `keys`, up to the right end of `area`, with a frame around
/// those that are `on`. Returns the clicked action; `begin` is set to their left end, x.
std::optional<Action> draw_modes(const Style& style, Rect area, bool keys, const std::function<bool(Action)>& on,
                                 float& begin);

}  // namespace fiberscope::viewer
