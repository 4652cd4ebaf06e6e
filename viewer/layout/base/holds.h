// Whether a text has another in it, as a reader means it.
#pragma once

#include <string_view>

namespace fiberscope::viewer {

/// Whether `text` has `what` in it, whatever the case of Latin letters. Nothing is in every text.
bool holds(std::string_view text, std::string_view what) noexcept;

}  // namespace fiberscope::viewer
