// The place in the code that does what a trace shows, and the step that a handout describes it in, as the head of the
// trace says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "languages/say.h"
#include "traces/read/trace.h"
#include "traces/words/chosen.h"

namespace fiberscope::viewer {

/// Printable; the paths are relative and stay in the tree of the labs.
struct Mechanism {
    std::string step;             ///< its number
    std::string handout, source;  ///< "labs/…/README.md", "labs/…/exercise/….cpp"
    std::string line = {};        ///< the line of the source that begins so; empty: its first
    std::string inside = {};      ///< what the line contains that takes the chosen one; empty: it is not known
};

/// What the whole trace is about; nothing if its head does not say.
std::optional<Mechanism> handout_of(const trace::Head& head);

/// Where the switch `event` was decided, by a task or by a loop; of a switch back, what the coroutine called that it
/// leaves. A student's own file may write it otherwise. Nothing if the head does not say. The replay is behind the
/// event, by at most 10,000 events.
std::optional<Mechanism> line_that_chose(const trace::Replay& replay, std::size_t event);
/// The last of `switches` before playhead `at` on the machine of the event there; nothing if there is none. What
/// another machine did meanwhile does not tell why this one runs what it runs.
std::optional<std::uint32_t> switch_before(const trace::Trace& trace, std::span<const std::uint32_t> switches,
                                           std::size_t at);
/// The line that chose at that switch.
std::optional<Mechanism> line_before(const trace::Replay& replay, std::span<const std::uint32_t> switches,
                                     std::size_t at);
/// What a coroutine called that is in that state, for a reason of the trace (kNone: for none); nothing if the head does
/// not say.
std::optional<Mechanism> mechanism_of(const trace::Trace& trace, trace::State state,
                                      std::uint32_t reason = trace::kNone);

/// "step N.N" in the reader's language.
std::string title_of(const Mechanism& mechanism, Language language);
/// The handout in the reader's language.
std::string handout_in(const Mechanism& mechanism, Language language);

}  // namespace fiberscope::viewer
