// The options of a demo that change what it does, as `labNN_demo DEMO --knobs` lists them (labs/kit/demo/demo.h).
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
    std::string value;                   ///< as it is turned; empty: as the demo has it
    std::vector<std::string> choices;    ///< of a choice
    std::vector<std::string> only_with;  ///< strategies; empty: with all
    bool operator==(const Knob&) const = default;
};

/// Of what a demo has printed. A line that is no knob is left out, and what is behind the 16th.
std::vector<Knob> read_knobs(std::string_view printed);
/// What a recording says of how it was made.
struct AsRecorded {
    std::string strategy, seed;
    std::uint32_t machines = 0;
};
AsRecorded as_recorded(const trace::Trace& trace);
/// Turns them to where they were then.
void turn_to(std::vector<Knob>& knobs, const AsRecorded& recorded);
/// Whether it changes anything with the strategy that is chosen among `knobs`.
bool acts(const Knob& knob, const std::vector<Knob>& knobs);
/// What is wrong with where a knob stands, in one sentence; empty if nothing is.
std::string wrong_with(const Knob& knob, Language language);
/// "--strategy", "go", …: of all that act and have a value.
std::vector<std::string> arguments_of(const std::vector<Knob>& knobs);

}  // namespace fiberscope::viewer
