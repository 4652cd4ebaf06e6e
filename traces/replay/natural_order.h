// Natural ordering of textual keys, in which numbers compare by value.
#pragma once

#include <string_view>

namespace fiberscope::trace {

/// Returns a number less than, equal to, or greater than 0 if `a` is before, equal to, or after `b`. Runs of digits
/// compare as numbers (after a decimal point as a fraction; a minus sign as the first character makes a number
/// negative), everything else by bytes.
int compare_naturally(std::string_view a, std::string_view b) noexcept;

}  // namespace fiberscope::trace
