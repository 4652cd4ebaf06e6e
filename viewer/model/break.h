// Playing until something happens.
#pragma once

#include <string>

#include "languages/say.h"
#include "traces/replay/replay.h"

namespace fiberscope::viewer {

enum class Break : std::uint8_t {
    none,       ///< to the end
    coroutine,  ///< a coroutine is entered or left
    kind,       ///< an event of a kind
    longer,     ///< a set has more members than a number
    invariant,  ///< an event breaks an invariant of the trace format
    fault
};

struct Until {
    Break what = Break::none;
    std::uint32_t co = trace::kNone;
    trace::Kind kind = trace::Kind::note;
    std::uint32_t set = trace::kNone, length = 0;
    std::size_t broken = SIZE_MAX;  ///< of `invariant`: the event
    std::string why;                ///< of `invariant`: what is wrong with it
    std::size_t place = SIZE_MAX;   ///< the playhead behind what ends playing; SIZE_MAX: not looked for yet
};

/// Until an event breaks an invariant: looks for the first one. Nothing is broken if `broken` is SIZE_MAX.
Until until_broken(const trace::Trace& trace);

/// The playhead behind the first event from `from` on, before `to`, that ends playing; `to` if none does. A fault
/// always does. `replay` must be at `from` if the length of a set counts.
std::size_t break_before(const trace::Replay& replay, const Until& until, std::size_t from, std::size_t to);

/// "until a coroutine is entered or left", "until 'ready' has more than 5 members".
std::string until_in_words(const trace::Trace& trace, const Until& until, Language language = Language::english);

}  // namespace fiberscope::viewer
