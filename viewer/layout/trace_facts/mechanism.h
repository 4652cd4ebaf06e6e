// Which step of the handouts, and which function of the labs, does what the viewer explains.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "languages/say.h"
#include "traces/read/trace.h"
#include "traces/words/chosen.h"

namespace fiberscope::viewer {

/// Paths in the tree of the labs.
struct Mechanism {
    std::string_view title;            ///< "step 4.2"
    std::string_view section, source;  ///< "labs/…/README.md#…", "labs/…/exercise/….cpp"
    std::string_view line;             ///< the line of the source that begins so; empty: its first
    std::string_view inside = {};      ///< what the line contains that takes the chosen one; empty: it is not known
};

/// Where the switch `event` was decided, by a task or by a loop; of a switch back, what the coroutine called that it
/// leaves. A student's own file may write it otherwise. Nothing if no lab tells of it. The replay is behind the event,
/// by at most 10,000 events.
std::optional<Mechanism> line_that_chose(const trace::Replay& replay, std::size_t event);
/// The last of `switches` before playhead `at` on the machine of the event there; nothing if there is none. What
/// another machine did meanwhile does not tell why this one runs what it runs.
std::optional<std::uint32_t> switch_before(const trace::Trace& trace, std::span<const std::uint32_t> switches,
                                           std::size_t at);
/// The line that chose at that switch.
std::optional<Mechanism> line_before(const trace::Replay& replay, std::span<const std::uint32_t> switches,
                                     std::size_t at);
/// What holds a coroutine in that state, into which it went for that reason; nothing if no lab tells of it. What waits
/// for a descriptor is `in_tree`, or the IO manager or poll holds it.
std::optional<Mechanism> mechanism_of(const trace::Head& head, trace::State state, std::string_view reason = {},
                                      bool in_tree = true) noexcept;

/// "step 4.2" in the reader's language.
std::string title_in(std::string_view title, Language language);
/// The section of the handout in the reader's language: the anchors are the same in all.
std::string section_in(std::string_view section, Language language);

/// All entries, for the test that looks whether each is there.
std::span<const Mechanism> mechanisms() noexcept;

}  // namespace fiberscope::viewer
