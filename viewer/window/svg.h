// What ImGui has drawn, as an SVG picture for slides and papers: lines and text that stay sharp at any size.
#pragma once

#include <string>

#include "viewer/panels/style.h"

struct ImDrawData;

namespace fiberscope::viewer {

/// The part of the lists within `part`, over a ground of one colour. Letters are text again: they are found by their
/// places in ImGui's atlas, and each word has the width that it had on the screen. `fonts`: those of the frame.
std::string svg_of(const ImDrawData& data, Rect part, Color ground, const Fonts& fonts);

}  // namespace fiberscope::viewer
