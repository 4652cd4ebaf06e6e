// Why a switch chose the coroutine that runs now, found from the events before it. A switch back to a resumer chooses
// nothing.
#pragma once

#include <string>

#include "languages/say.h"
#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// Whether event n is a switch by which one chose another: neither back to the resumer nor back from its end.
bool is_decision(const Trace& trace, std::size_t n) noexcept;

/// Why a coroutine was chosen.
enum class Chosen : std::uint8_t {
    head,      ///< it was first in a ready queue
    younger,   ///< it was taken from a ready queue although another stood there longer
    stolen,    ///< it came from another machine's queue
    deadline,  ///< its time had come
    early,     ///< it was taken out of its sleep before its time
    event,     ///< what it waited for had happened
    named,     ///< the one that ran before named it
    idle,      ///< no task was ready
    loop,      ///< a scheduler, which chooses the next one
    back       ///< no decision: control goes back to its resumer
};

struct Choice {
    std::size_t event = 0;                 ///< the switch
    std::uint32_t by = kNone, co = kNone;  ///< which chose, and which was chosen
    Chosen why = Chosen::named;
    std::uint32_t set = kNone;      ///< where it stood; kNone if in none
    std::uint32_t taken = kNone;    ///< the first event that took it from where it stood
    std::uint64_t since = 0;        ///< ns: since when; of a deadline the deadline
    std::int64_t behind = kAbsent;  ///< how many stood behind it; kAbsent if it is not known
    std::uint32_t older = kNone;    ///< of `younger`: the one that stood there longer
    std::uint32_t victim = kNone;   ///< of `stolen`: the machine it came from
    std::uint32_t reason = kNone;   ///< of `event`: text of what it waited for
};
/// Of event n, a switch. What else stood in its set is known only if the replay is behind n, by at most 10,000 events.
Choice choice_at(const Replay& replay, std::size_t n);

/// "hog 1 was the head of ready, since 2.2 µs; 3 stand behind it": one sentence without a full stop. Empty if event n
/// is no switch.
std::string why_chosen(const Replay& replay, std::size_t n, Language language = Language::english);

}  // namespace fiberscope::trace
