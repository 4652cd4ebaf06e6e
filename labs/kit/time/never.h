// "No deadline", "no limit": the largest time there is. One constant for the kit and for all labs.
#pragma once

#include <cstdint>
#include <limits>

namespace fiberscope::kit {

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();  ///< ns

}  // namespace fiberscope::kit
