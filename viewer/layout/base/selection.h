// What the panels share, and all that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "traces/schema/schema.h"

namespace fiberscope::viewer {

/// A span of time in nanoseconds. Signed and fractional, so that zooming and panning round nothing away.
struct Range {
    double from = 0, to = 0;

    double span() const noexcept { return to - from; }
    bool contains(double t) const noexcept { return t >= from && t <= to; }
};

struct Selection {
    std::size_t playhead = 0;             ///< events applied, as trace::Replay::at()
    std::uint32_t chosen = trace::kNone;  ///< the coroutine that is followed; kNone if none
    Range visible;                        ///< what the timeline shows
    // Several traces side by side only:
    double horizon = 0;            ///< ns: how far the time axis goes at least, for a longer trace beside this one
    std::optional<double> moment;  ///< ns: the time at which all of them are shown
};

}  // namespace fiberscope::viewer
