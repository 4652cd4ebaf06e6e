// Alignment of the decisions of two runs, with as many matches as possible.
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

/// The part of one of the two runs at a difference.
struct DifferentStretch {
    /// The first decision made only by this run here, or else the next one made by both; the size of the trace if there
    /// is none.
    std::size_t event = 0;
    std::size_t decisions = 0;  ///< number of decisions made only by this run here
    Range time;                 ///< ns: from `event` to the next common decision, or to the end
};
struct Divergence {
    DifferentStretch first, second;
    std::size_t decision = 0;  ///< number of previous decisions of the first run
};

struct Divergences {
    std::vector<Divergence> places;     ///< in order
    std::size_t agree = 0;              ///< number of common decisions
    std::size_t first = 0, second = 0;  ///< number of decisions of each run
    bool longest = true;                ///< false: more than `agree` may match (alignment.h)
};

/// A decision is a switch that chooses a task. Decisions of all machines are compared in the order of their times; two
/// match if their tasks have the same name, regardless of machine and time. For two recordings of an explorer, its
/// choices are compared.
Divergences divergences(const Run& first, const Run& second);

/// The event of `second` that corresponds to decision number `decision` (from 0) of `first`: the same decision, or the
/// one made instead; the size of its trace if there is none. `all`: the result of divergences() for both.
std::size_t counterpart(const Run& first, const Run& second, const Divergences& all, std::size_t decision);

/// Names that distinguish the runs: their programs, if these differ, else their files.
std::vector<std::string> run_names(std::span<const trace::Trace* const> traces);
std::array<std::string, 2> run_names(const trace::Trace& first, const trace::Trace& second);

/// "34 of 73 decisions agree (mixed_go makes 72), 14 stretches differ …": how much of the two runs is
/// equal.
std::string divergences_in_words(const Run& first, const Run& second, const Divergences& all,
                                 Language language = Language::english);

}  // namespace fiberscope::viewer
