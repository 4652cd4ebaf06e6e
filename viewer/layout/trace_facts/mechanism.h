// The source line responsible for a part of the trace, and the step of the handout that describes it, from the head of
// the trace.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "languages/say.h"
#include "traces/read/trace.h"
#include "traces/words/chosen.h"

namespace fiberscope::viewer {

/// Printable; paths are relative and inside the labs' tree.
struct Mechanism {
    std::string step;             ///< its number
    std::string handout, source;  ///< "labs/…/README.md", "labs/…/exercise/….cpp"
    std::string line = {};        ///< prefix of the source line; empty: the first line
    std::string inside = {};      ///< part of the line that takes the chosen coroutine; empty: unknown
};

/// The subject of the whole trace; nothing if its head does not name one.
std::optional<Mechanism> handout_of(const trace::Head& head);

/// The place where a task or a loop decided the switch `event`; for a switch back, the call in the coroutine that it
/// leaves. A student's own file may differ. Nothing if the head does not name one. The replay must be after the event,
/// by at most 10,000 events.
std::optional<Mechanism> line_that_chose(const trace::Replay& replay, std::size_t event);
/// The last of `switches` before playhead `at` on the machine of the event there; nothing if there is none. Events of
/// other machines in between do not explain this machine's decision.
std::optional<std::uint32_t> switch_before(const trace::Trace& trace, std::span<const std::uint32_t> switches,
                                           std::size_t at);
/// The line that decided this switch.
std::optional<Mechanism> line_before(const trace::Replay& replay, std::span<const std::uint32_t> switches,
                                     std::size_t at);
/// The call of a coroutine in this state, for a reason of the trace (kNone: none); nothing if the head does not name
/// one.
std::optional<Mechanism> mechanism_of(const trace::Trace& trace, trace::State state,
                                      std::uint32_t reason = trace::kNone);

/// "step N.N" in the user's language.
std::string title_of(const Mechanism& mechanism, Language language);
/// The handout in the user's language.
std::string handout_in(const Mechanism& mechanism, Language language);

}  // namespace fiberscope::viewer
