// A schedule as one line of text: its deviations from the default choices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::explore {

/// At step `step` (from 1) machine `machine` continues instead of the default; or, kLater, a store is delayed.
struct Deviation {
    static constexpr std::uint8_t kLater = 255;
    std::uint32_t step;
    std::uint8_t machine;
    bool operator==(const Deviation&) const = default;
};

/// In order of their steps. Empty: only default choices.
using Schedule = std::vector<Deviation>;

/// "17:1,31:0,40:later"; "default" if it is empty.
std::string text_of(const Schedule& schedule);
/// Throws SpokenError with the position and the error.
Schedule parse_schedule(std::string_view text);

}  // namespace fiberscope::explore
