// The facts of one decision: the sets before it, the chosen member, the rule, and the deciding source lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viewer/layout/trace_facts/divergence.h"
#include "viewer/layout/trace_facts/mechanism.h"

namespace fiberscope::viewer {

/// A set before the decision, in the order in which members are taken: a queue from its head, others by key.
struct SetBefore {
    std::uint32_t set = trace::kNone;
    std::string name;
    trace::Role role = trace::Role::ready;
    std::vector<trace::Member> members;
};

struct DecisionFacts {
    std::size_t event = 0;             ///< the switch, or an explorer's choice; size of the trace: none is left
    std::uint32_t co = trace::kNone;   ///< the chosen coroutine; kNone for an explorer's choice, and if none is left
    std::uint32_t set = trace::kNone;  ///< the set it was in; kNone if none
    std::vector<SetBefore> sets;       ///< nonempty sets of runnable, sleeping or waiting members; `set` is first
    std::vector<trace::State> states;  ///< of each coroutine before the decision
    std::vector<bool> exists;          ///< whether it existed
    std::string rule;                  ///< why it was chosen (trace::why_chosen), with a full stop
    std::optional<Mechanism> chose;    ///< nothing if no lab describes it
};
/// The facts of decision `event`. `replay` belongs to the run; its position is changed and not restored.
DecisionFacts decision_facts(trace::Replay& replay, std::size_t event, Language language = Language::english);

}  // namespace fiberscope::viewer
