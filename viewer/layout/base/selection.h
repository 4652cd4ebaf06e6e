// All state that the panels share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/schema/schema.h"

namespace fiberscope::viewer {

/// A span of time in nanoseconds. Signed and fractional, so that zooming and panning do not accumulate rounding errors.
struct Range {
    double from = 0, to = 0;

    double span() const noexcept { return to - from; }
    bool contains(double t) const noexcept { return t >= from && t <= to; }
};

/// Sort key of the coroutine lanes; `parent`: each below the coroutine that spawned it. All except `number`, `name` and
/// `parent` form groups.
enum class LaneOrder : std::uint8_t { number, name, parent, kind, machine, state };
inline constexpr std::size_t kLaneOrders = 6;

/// Lanes fixed at the top, in this order, even if a filter hides them: machines, then coroutines.
struct Pins {
    std::vector<std::uint32_t> machines, coroutines;

    bool operator==(const Pins&) const = default;
};

/// Selection and order of the lanes.
struct LaneWishes {
    LaneOrder order = LaneOrder::number;
    bool hides_dead = false;
    bool groups = true;                 ///< show a heading above each group
    std::string filter;                 ///< terms that must all match: see passes()
    std::vector<std::uint32_t> folded;  ///< coroutines whose descendants are hidden
    Pins pins;

    bool operator==(const LaneWishes&) const = default;
};

struct Selection {
    std::size_t playhead = 0;             ///< number of applied events, as trace::Replay::at()
    std::uint32_t chosen = trace::kNone;  ///< the selected coroutine; kNone if none
    Range visible;                        ///< range of time in the timeline
    LaneWishes lanes;
    /// The selected span of time; empty while only its beginning is marked.
    std::optional<Range> region;
    float scroll = 0;  ///< number of lanes above the visible ones
    // Only for several traces side by side:
    double horizon = 0;            ///< ns: minimum end of the time axis, for a longer trace beside this one
    std::optional<double> moment;  ///< ns: the common time of all traces
};

}  // namespace fiberscope::viewer
