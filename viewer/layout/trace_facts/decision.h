// What a run decides at one moment, as an instructor tells it: what stood in which set before, which one was taken, by
// which rule, and which lines did it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viewer/layout/trace_facts/divergence.h"
#include "viewer/layout/trace_facts/mechanism.h"

namespace fiberscope::viewer {

/// A set before the decision, in the order in which its members are taken: a queue from its head, others by key.
struct SetBefore {
    std::uint32_t set = trace::kNone;
    std::string name;
    trace::Role role = trace::Role::ready;
    std::vector<trace::Member> members;
};

struct DecisionFacts {
    std::size_t event = 0;             ///< the switch, or an explorer's choice; size of the trace: none is left
    std::uint32_t co = trace::kNone;   ///< which was chosen; kNone of an explorer's choice, and if none is left
    std::uint32_t set = trace::kNone;  ///< where it stood; kNone if in none
    std::vector<SetBefore> sets;       ///< those that can run, sleep or wait and are not empty; that one first
    std::vector<trace::State> states;  ///< of each coroutine before
    std::vector<bool> exists;          ///< whether it was there
    std::string rule;                  ///< why it was chosen (trace::why_chosen), with a full stop
    std::optional<Mechanism> chose;    ///< nothing if no lab tells of it
};
/// Of the decision `event` of `run`. Moves `replay`, which is the run's, and does not put it back.
DecisionFacts decision_facts(trace::Replay& replay, std::size_t event, Language language = Language::english);

}  // namespace fiberscope::viewer
