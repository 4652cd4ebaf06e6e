// The decision card as an SVG picture.
#pragma once

#include <span>
#include <string>

#include "viewer/layout/base/look.h"
#include "viewer/layout/page/decision_card.h"

namespace fiberscope::viewer {

/// Of each file the sets before, what is ringed, the ghosts, the rule and the lines that chose. As high as the card
/// wants to be.
std::string card_svg_of(std::span<const CardFile> files, float width, float em, Theme theme, Language language);

}  // namespace fiberscope::viewer
