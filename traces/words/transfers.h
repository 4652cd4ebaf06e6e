// Recognition of moves between sets, named as in textbooks: directly from one set to another, and by the hand of a
// timing wheel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// A member leaves its set or sets and enters another one without running in between, or enters the same one again
/// under another key.
struct Transfer {
    enum class Why : std::uint8_t {
        wake,     ///< the event or deadline that it waited for occurred
        steal,    ///< another machine took it
        cascade,  ///< the hand of a higher wheel reached its slot
        refresh,  ///< a timer was set again
        other
    };
    Why why = Why::other;
    std::vector<std::size_t> leaves;  ///< its `remove`s; a member that waits with a limit is in two sets
    std::size_t enters = 0;           ///< its `insert`
};
/// The transfer that event n, an `insert` or a `remove`, belongs to.
std::optional<Transfer> transfer_at(const Trace& trace, std::size_t n);
/// The transfer that is in progress at event n.
std::optional<Transfer> transfer_around(const Trace& trace, std::size_t n);
/// "wake", "steal".
std::string name_of(const Transfer& transfer, Language language = Language::english);

/// The number of the steal that event n belongs to: that event itself, or one of the same machine with only set events
/// in between; kNone if there is none.
std::uint32_t steal_around(const Trace& trace, std::size_t n);

/// An advance of a timing wheel's hand.
struct HandTurn {
    std::optional<std::int64_t> from;  ///< empty if it is too far back
    std::int64_t to = 0;
    /// The `remove`s of the members that are due there, and of those that cascade to a lower wheel.
    std::vector<std::size_t> due, down;
};
/// Event n must be a `hand`.
HandTurn hand_turn(const Trace& trace, std::size_t n);
/// "timer 12 fires", "timer 2, timer 6 and 2 more fire"; empty if none does.
std::string hand_turn_in_words(const Trace& trace, const HandTurn& turn, Language language = Language::english);

}  // namespace fiberscope::trace
