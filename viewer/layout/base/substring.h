// Substring match without regard to case.
#pragma once

#include <string_view>

namespace fiberscope::viewer {

/// Whether `text` contains `what`; only the case of Latin letters is ignored. Every text contains the empty one.
bool has_substring(std::string_view text, std::string_view what) noexcept;

}  // namespace fiberscope::viewer
