// Where two runs first decide differently, found by matching their decisions: which task is given a machine next.
#pragma once

#include <string>
#include <vector>

#include "traces/words/texts/say.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// A run whose decisions are compared.
struct Run {
    const trace::Replay& replay;
    const TraceIndex& index;
};

/// The two decisions that stand where one would be: the number of each event, or the size of a trace that has ended.
struct Divergence {
    std::size_t first = 0, second = 0;
    std::size_t decision = 0;  ///< how many decisions of the first run came before it
};

/// Of two recordings of an explorer the decisions are its choices: both are the same up to the first that differs.
/// The places at which the decisions of two runs differ, `most` at most, in their order. A decision is a switch to a
/// task; tasks are matched by their names. After a difference the runs are compared on from where three decisions in a
/// row are the same again; if that is never, there are no more places.
std::vector<Divergence> divergences(const Run& first, const Run& second, std::size_t most = 200);

/// "here `mixed` resumes hog 1, the head of the ready queue; `multi_state` resumes reader of 7, whose event came".
std::string divergence_in_words(const Run& first, const Run& second, const Divergence& place,
                                Language language = Language::english);

/// The name by which a run is told from others: its program.
std::string run_name(const trace::Trace& trace);

}  // namespace fiberscope::viewer
