// A file as SVG, without a screen.
#pragma once

#include <string>

#include "viewer/model/options.h"

namespace fiberscope::viewer {

/// The timeline of the first file as SVG, without a screen. Throws std::runtime_error that names a file that cannot be
/// read.
std::string render_svg(const Options& options);

}  // namespace fiberscope::viewer
