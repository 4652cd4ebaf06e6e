// Why a switch chose the coroutine that runs now, derived from the events before it. A switch back to a resumer is not
// a choice.
#pragma once

#include <string>

#include "languages/say.h"
#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// Whether event n is a switch that chose a coroutine: not a return to the resumer, and not the end of one.
bool is_decision(const Trace& trace, std::size_t n) noexcept;

/// Why a coroutine was chosen.
enum class Chosen : std::uint8_t {
    head,      ///< it was first in a ready queue
    younger,   ///< it was taken from a ready queue although another one had waited longer
    stolen,    ///< it came from another machine's queue
    deadline,  ///< its time had come
    early,     ///< it was woken before its deadline
    event,     ///< the event that it waited for had happened
    named,     ///< the previous coroutine named it
    idle,      ///< no task was ready
    loop,      ///< a scheduler, which chooses the next one
    back       ///< not a choice: control returns to its resumer
};

struct Choice {
    std::size_t event = 0;                 ///< the switch
    std::uint32_t by = kNone, co = kNone;  ///< the choosing coroutine, and the chosen one
    Chosen why = Chosen::named;
    std::uint32_t set = kNone;      ///< the set that it was in, or kNone
    std::uint32_t taken = kNone;    ///< the first event that removed it from there
    std::uint64_t since = 0;        ///< ns: when it entered; for `deadline` the deadline
    std::int64_t behind = kAbsent;  ///< number of members after it; kAbsent if unknown
    std::uint32_t older = kNone;    ///< for `younger`: the coroutine that had waited longer
    std::uint32_t victim = kNone;   ///< for `stolen`: the machine it came from
    std::uint32_t reason = kNone;   ///< for `event`: text of the awaited event
};
/// The choice at event n, a switch. The state of its set is known only if the playhead is after n, by at most 10,000
/// events.
Choice choice_at(const Replay& replay, std::size_t n);

/// One sentence without a full stop, such as "hog 1 was the head of ready, where it waited for 2.2 µs"; with the
/// strategy's rule if another member had waited longer. Empty if event n is not a switch.
std::string why_chosen(const Replay& replay, std::size_t n, Language language = Language::english);

}  // namespace fiberscope::trace
