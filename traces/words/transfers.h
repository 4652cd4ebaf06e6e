// How what stands in a set moves on, named as in a textbook: from one set straight into another, and with the hand of a
// timing wheel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// One leaves its set, or its sets, and enters another without having run in between; or it enters the same one again
/// under another key.
struct Transfer {
    enum class Why : std::uint8_t {
        wake,     ///< what it slept or waited for has come
        steal,    ///< another machine took it
        cascade,  ///< the hand of a higher wheel has come to its slot
        refresh,  ///< a timer is set anew
        other
    };
    Why why = Why::other;
    std::vector<std::size_t> leaves;  ///< its `remove`s; one that waits with a limit stands in two sets
    std::size_t enters = 0;           ///< its `insert`
};
/// The one to which event n, an `insert` or a `remove`, belongs.
std::optional<Transfer> transfer_at(const Trace& trace, std::size_t n);
/// The one that has begun and has not ended before event n: n may lie between the two.
std::optional<Transfer> transfer_around(const Trace& trace, std::size_t n);
/// "wake", "steal".
std::string name_of(const Transfer& transfer, Language language = Language::english);

/// The number of the steal to which event n belongs: that event, or one of the same machine with nothing between them
/// but what enters and leaves sets; kNone if there is none.
std::uint32_t steal_around(const Trace& trace, std::size_t n);

/// The hand of a timing wheel goes on.
struct HandTurn {
    std::optional<std::int64_t> from;  ///< nothing if that is too far back to be looked for
    std::int64_t to = 0;
    /// The `remove`s of those that are due there, and of those that go down to a lower wheel.
    std::vector<std::size_t> due, down;
};
/// Event n must be a `hand`.
HandTurn hand_turn(const Trace& trace, std::size_t n);
/// "timer 12 fires", "timer 2, timer 6 and 2 more fire"; empty if none does.
std::string hand_turn_in_words(const Trace& trace, const HandTurn& turn, Language language = Language::english);

}  // namespace fiberscope::trace
