// What the panels share, and all that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/schema/schema.h"

namespace fiberscope::viewer {

/// A span of time in nanoseconds. Signed and fractional, so that zooming and panning round nothing away.
struct Range {
    double from = 0, to = 0;

    double span() const noexcept { return to - from; }
    bool contains(double t) const noexcept { return t >= from && t <= to; }
};

/// By what the lanes of the coroutines are ordered; `parent`: each below the one that spawned it. All but `number`,
/// `name` and `parent` make groups.
enum class LaneOrder : std::uint8_t { number, name, parent, kind, machine, state };
inline constexpr std::size_t kLaneOrders = 6;

/// The lanes that stay at the top, in this order, whatever hides the others: of machines, then of coroutines.
struct Pins {
    std::vector<std::uint32_t> machines, coroutines;

    bool operator==(const Pins&) const = default;
};

/// Which lanes are shown, and in what order.
struct LaneWishes {
    LaneOrder order = LaneOrder::number;
    bool hides_dead = false;
    bool groups = true;                 ///< a heading stands above each group
    std::string filter;                 ///< terms that all must hold: see passes()
    std::vector<std::uint32_t> folded;  ///< coroutines whose descendants are hidden
    Pins pins;

    bool operator==(const LaneWishes&) const = default;
};

struct Selection {
    std::size_t playhead = 0;             ///< events applied, as trace::Replay::at()
    std::uint32_t chosen = trace::kNone;  ///< the coroutine that is followed; kNone if none
    Range visible;                        ///< what the timeline shows
    LaneWishes lanes;
    /// The span that is looked at by itself; of no length while only its beginning is marked.
    std::optional<Range> region;
    float scroll = 0;  ///< lanes above the visible ones
    // Several traces side by side only:
    double horizon = 0;            ///< ns: how far the time axis goes at least, for a longer trace beside this one
    std::optional<double> moment;  ///< ns: the time at which all of them are shown
};

}  // namespace fiberscope::viewer
