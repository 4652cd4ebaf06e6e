// Time on the x axis: the mapping between nanoseconds and pixels, and how zooming and panning change what is visible.
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

/// Where the time axis ends, ns: with the trace, or later if a longer one stands beside it.
std::uint64_t axis_end(const TraceIndex& index, const Selection& selection) noexcept;

/// The range that shows a whole trace of `duration` ns, with a small margin; never empty.
Range whole(std::uint64_t duration) noexcept;
/// `range` with its span multiplied by `factor`, so that `fixed` (ns) stays where it is; within the whole trace, and
/// not below 10 ns.
Range zoomed(Range range, double fixed, double factor, std::uint64_t duration) noexcept;
/// `range` moved by `by` ns, within the whole trace.
Range panned(Range range, double by, std::uint64_t duration) noexcept;
/// `range` moved just enough that `t` is well inside; unchanged if it is inside already.
Range following(Range range, double t, std::uint64_t duration) noexcept;

/// A mark on the time axis.
struct Tick {
    double t = 0;
    std::string label;  ///< with its unit; empty for a minor tick
};
/// Ticks at 1, 2 or 5 times a power of ten, labelled ones at least `label_px` apart. All labels share one unit.
std::vector<Tick> ticks(const TimeScale& scale, float label_px);

}  // namespace fiberscope::viewer
