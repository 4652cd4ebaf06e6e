// Where two runs decide differently: their decisions are aligned, so that as many as possible agree.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

/// A run whose decisions are compared.
struct Run {
    const trace::Replay& replay;
    const TraceIndex& index;
};

/// What one of the two runs does where they differ.
struct DifferentStretch {
    /// The first of the decisions that only this run makes here; if it makes none, the next one that both make. The
    /// size of the trace if there is none left.
    std::size_t event = 0;
    std::size_t decisions = 0;  ///< how many only this run makes here
    Range time;                 ///< ns: from `event` to the next decision that both make, or to the end
};
struct Divergence {
    DifferentStretch first, second;
    std::size_t decision = 0;  ///< how many decisions of the first run came before
};

struct Divergences {
    std::vector<Divergence> places;     ///< in their order
    std::size_t agree = 0;              ///< decisions that both make
    std::size_t first = 0, second = 0;  ///< decisions that each makes
    bool longest = true;                ///< false: more than `agree` may agree (alignment.h)
};

/// A decision is a switch by which a task is chosen. Those of all machines count, in the order of their times, and two
/// agree if their tasks have one name: on which machine it runs does not matter, nor when. Of two recordings of an
/// explorer the decisions are its choices.
Divergences divergences(const Run& first, const Run& second);

/// The event of `second` that stands where decision number `decision` (from 0) of `first` stands: the same decision, or
/// what it decides instead; the size of its trace if none is left. `all`: what divergences() says of both.
std::size_t counterpart(const Run& first, const Run& second, const Divergences& all, std::size_t decision);

/// The names by which runs are told apart: their programs, if these differ, else their files.
std::vector<std::string> run_names(std::span<const trace::Trace* const> traces);
std::array<std::string, 2> run_names(const trace::Trace& first, const trace::Trace& second);

/// "34 of 73 decisions agree (mixed_go makes 72), 14 stretches differ …": how much of two runs is the same, and after
/// what they never are in step again.
std::string divergences_in_words(const Run& first, const Run& second, const Divergences& all,
                                 Language language = Language::english);

}  // namespace fiberscope::viewer
