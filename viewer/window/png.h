// Writes a picture as a PNG file.
#pragma once

#include <filesystem>

#include "viewer/window/framebuffer.h"

namespace fiberscope::viewer {

/// Writes beside `file` and renames, so that a picture is whole or not there; makes the directory if it is missing.
/// Throws std::runtime_error that names the file.
void write_png(const std::filesystem::path& file, const Picture& picture);

}  // namespace fiberscope::viewer
