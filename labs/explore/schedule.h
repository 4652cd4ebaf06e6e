// A schedule as one line of text: where it deviates from what would happen if nothing was chosen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::explore {

/// At step `step` (from 1 on) machine `machine` goes on instead of the one that would; or, kLater, a store is seen
/// later.
struct Deviation {
    static constexpr std::uint8_t kLater = 255;
    std::uint32_t step;
    std::uint8_t machine;
    bool operator==(const Deviation&) const = default;
};

/// In order of their steps. Empty: nothing is chosen.
using Schedule = std::vector<Deviation>;

/// "17:1,31:0,40:later"; "default" if it is empty.
std::string text_of(const Schedule& schedule);
/// Throws SpokenError, with what is wrong and where.
Schedule parse_schedule(std::string_view text);

}  // namespace fiberscope::explore
