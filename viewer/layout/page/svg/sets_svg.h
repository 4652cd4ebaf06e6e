// The sets at the playhead as an SVG picture: queues and red-black trees.
#pragma once

#include "viewer/layout/page/svg/svg.h"

namespace fiberscope::viewer {

/// The title, the sentence at the playhead, each queue with its members, each tree with its nodes, keys and links. Of a
/// heap or a wheel only its name and how many are in it.
std::string sets_svg_of(const SvgRequest& request);

}  // namespace fiberscope::viewer
