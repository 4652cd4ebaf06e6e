// Drawing of the decision card.
#pragma once

#include <optional>
#include <span>

#include "viewer/layout/page/decision_card.h"
#include "viewer/model/playback.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Its area at the top of `area`; all of it if too little would remain for lanes.
Rect place_of_card(const Style& style, Rect area, std::span<const CardFile> files);

/// Returns the action of a click, which shows the source of the decision.
std::optional<Action> draw_decision_card(const Style& style, Rect area, std::span<const CardFile> files);

}  // namespace fiberscope::viewer
