#include "viewer/layout/trace_facts/decision.h"

#include <algorithm>

#include "traces/replay/natural_order.h"
#include "traces/words/chosen.h"
#include "traces/words/words.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

bool holds_tasks(trace::Role role) noexcept {
    return role == trace::Role::ready || role == trace::Role::sleep || role == trace::Role::wait ||
           role == trace::Role::lock || role == trace::Role::channel;
}

SetBefore set_before(const trace::Trace& trace, const trace::SetNow& set, Language language) {
    SetBefore out{set.index, set_title(trace, set.index, set.owner, language), set.role, set.members};
    if (set.structure == trace::Structure::queue) return out;
    const auto key = [&](const trace::Member& member) {
        return member.key == kNone ? std::string_view() : trace.text(member.key).bytes();
    };
    std::stable_sort(out.members.begin(), out.members.end(),
                     [&](const auto& a, const auto& b) { return trace::compare_naturally(key(a), key(b)) < 0; });
    return out;
}

/// Takes the state of the replay, which is before the decision.
void take_state(const trace::Replay& replay, Language language, DecisionFacts& out) {
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        out.states.push_back(replay.coroutine(co).state);
        out.exists.push_back(replay.coroutine(co).exists);
    }
    for (const trace::SetNow& set : replay.sets())
        if (holds_tasks(set.role) && !set.members.empty())
            out.sets.push_back(set_before(replay.trace(), set, language));
    std::stable_sort(out.sets.begin(), out.sets.end(), [&](const SetBefore& a, const SetBefore& b) {
        const bool first = a.set == out.set, second = b.set == out.set;
        return first != second ? first : a.role < b.role;
    });
}

}  // namespace

DecisionFacts decision_facts(trace::Replay& replay, std::size_t event, Language language) {
    const trace::Trace& trace = replay.trace();
    DecisionFacts out;
    out.event = std::min(event, trace.size());
    std::size_t before = out.event;
    replay.seek(event + 1);
    if (event >= trace.size()) {
        out.rule = say(language, "No more decisions.");
    } else if (trace.kind(event) != trace::Kind::switch_) {
        out.rule = say(language, "{0}.", trace::describe(trace, event, language));
    } else {
        const trace::Choice choice = trace::choice_at(replay, event);
        out.co = choice.co;
        out.set = choice.set;
        if (choice.taken != kNone) before = choice.taken;
        out.rule = say(language, "{0}.", trace::why_chosen(replay, event, language));
        out.chose = line_that_chose(replay, event);
    }
    replay.seek(before);
    take_state(replay, language, out);
    return out;
}

}  // namespace fiberscope::viewer
