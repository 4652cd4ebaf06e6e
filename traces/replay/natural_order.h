// The order of keys in words: as people read them, numbers by their value.
#pragma once

#include <string_view>

namespace fiberscope::trace {

/// Less than 0, 0, or greater: `a` before, equal to, or after `b`. Runs of digits compare as numbers (a run after a
/// decimal point as a fraction; a minus sign before the first character makes a number negative), all else by bytes.
int compare_naturally(std::string_view a, std::string_view b) noexcept;

}  // namespace fiberscope::trace
