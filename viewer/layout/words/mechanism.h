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
};

/// What chose a coroutine in that way; null if no lab tells of it. `left`: of a switch back, the state of what it left.
const Mechanism* mechanism_of(const trace::Head& head, trace::Chosen why,
                              trace::State left = trace::State::ready) noexcept;
/// A function and what its lines contain that take a coroutine from a set to run it.
struct ChoosingLine {
    Mechanism where;
    std::string_view line;  ///< empty if it is not known which of them does
};
/// Where `choice` was made, by a task or by a loop, which took from `set` (its name in the file). A student's own file
/// may write it otherwise. Nothing if no lab tells of it.
std::optional<ChoosingLine> line_that_chose(const trace::Head& head, const trace::Choice& choice, bool by_task,
                                            std::string_view set) noexcept;
/// What chose in the last switch before event `n`; null if there is none.
const Mechanism* mechanism_before(const trace::Replay& replay, std::span<const std::uint32_t> switches, std::size_t n);
/// What holds a coroutine in that state; null if no lab tells of it.
const Mechanism* mechanism_of(const trace::Head& head, trace::State state) noexcept;

/// "step 4.2" in the reader's language.
std::string title_in(std::string_view title, Language language);
/// The section of the handout in the reader's language: the anchors are the same in all.
std::string section_in(std::string_view section, Language language);

/// All entries, for the test that looks whether each is there.
std::span<const Mechanism> mechanisms() noexcept;

}  // namespace fiberscope::viewer
