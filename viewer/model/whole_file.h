// Atomic writing of a file.
#pragma once

#include <filesystem>
#include <string_view>

namespace fiberscope::viewer {

/// Writes `text` to a temporary file beside `file` (or the target, if it is a symbolic link) and renames it. Returns
/// whether it succeeded; on failure nothing is changed.
bool write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace fiberscope::viewer
