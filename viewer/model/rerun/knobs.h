// The settings of a demo, as listed by `labNN_demo DEMO --knobs` (labs/kit/demo/demo.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::viewer {

enum class KnobKind : std::uint8_t { choice, number, time, file };

struct Knob {
    std::string name;
    KnobKind kind = KnobKind::number;
    std::string value;                   ///< current value; empty: the demo's default
    std::vector<std::string> choices;    ///< of a choice
    std::vector<std::string> only_with;  ///< strategies; empty: all
    bool operator==(const Knob&) const = default;
};

/// Parses the output of a demo. Invalid lines and all after the 16th are ignored.
std::vector<Knob> read_knobs(std::string_view printed);
/// Settings stored in a recording.
struct AsRecorded {
    std::string strategy, seed;
    std::uint32_t machines = 0;
};
AsRecorded as_recorded(const trace::Trace& trace);
/// Sets the knobs to these values.
void turn_to(std::vector<Knob>& knobs, const AsRecorded& recorded);
/// Whether it has an effect with the strategy selected in `knobs`.
bool acts(const Knob& knob, const std::vector<Knob>& knobs);
/// Why a knob's value is invalid, in one sentence; else empty.
std::string wrong_with(const Knob& knob, Language language);
/// "--strategy", "go", …: for all knobs with an effect and a value.
std::vector<std::string> arguments_of(const std::vector<Knob>& knobs);

}  // namespace fiberscope::viewer
