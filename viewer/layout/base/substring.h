// Case-insensitive substring search.
#pragma once

#include <string_view>

namespace fiberscope::viewer {

/// Whether `text` contains `what`, ignoring the case of Latin letters. An empty `what` is always found.
bool has_substring(std::string_view text, std::string_view what) noexcept;

}  // namespace fiberscope::viewer
