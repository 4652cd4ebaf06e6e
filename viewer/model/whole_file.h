// A file that is there whole, or as it was.
#pragma once

#include <filesystem>
#include <string_view>

namespace fiberscope::viewer {

/// Writes `text` beside `file`, where a link leads to if it is one, and renames. Whether it could; if not, nothing has
/// changed.
bool write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace fiberscope::viewer
