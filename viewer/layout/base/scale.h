// The time axis: mapping between nanoseconds and pixels, zooming and panning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

/// Maps `range` onto the pixels from x0 to x1. `range` must not be empty.
struct TimeScale {
    Range range;
    float x0 = 0, x1 = 1;

    float x(double t) const noexcept {
        return x0 + static_cast<float>((t - range.from) / range.span() * static_cast<double>(x1 - x0));
    }
    double t(float px) const noexcept {
        return range.from + static_cast<double>(px - x0) / static_cast<double>(x1 - x0) * range.span();
    }
    double ns_per_px() const noexcept { return range.span() / static_cast<double>(x1 - x0); }
};

/// End of the time axis, ns: the end of the trace, or of a longer trace shown beside it.
std::uint64_t axis_end(const TraceIndex& index, const Selection& selection) noexcept;

/// The range that shows a whole trace of `duration` ns with a small margin; never empty.
Range whole(std::uint64_t duration) noexcept;
/// Scales `range` by `factor` around the fixed time `fixed` (ns); limited to the whole trace and to at least 10 ns.
Range zoomed(Range range, double fixed, double factor, std::uint64_t duration) noexcept;
/// Moves `range` by `by` ns within the whole trace.
Range panned(Range range, double by, std::uint64_t duration) noexcept;
/// Moves `range` just enough to contain `t` with a margin; unchanged if it already does.
Range following(Range range, double t, std::uint64_t duration) noexcept;

/// A tick of the time axis.
struct Tick {
    double t = 0;
    std::string label;  ///< with its unit; empty for a minor tick
};
/// Ticks at 1, 2 or 5 times a power of ten; labelled ticks are at least `label_px` apart. All labels use the same unit.
std::vector<Tick> ticks(const TimeScale& scale, float label_px);

}  // namespace fiberscope::viewer
