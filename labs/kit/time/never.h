// The largest time, for "no deadline" and "no limit", in the kit and in all labs.
#pragma once

#include <cstdint>
#include <limits>

namespace fiberscope::kit {

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();  ///< ns

}  // namespace fiberscope::kit
