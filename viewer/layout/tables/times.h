// Times by state and counts of each coroutine within a span of time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

struct Times {
    std::uint32_t co = trace::kNone;
    /// ns by State; `running` excludes time in which the machine was idle.
    std::array<double, 8> in{};
    double idle = 0;              ///< ns of running while its machine was idle
    std::uint64_t resumes = 0;    ///< number of times it began to run
    std::uint64_t waits = 0;      ///< number of times it began to sleep or wait
    std::uint64_t overshoot = 0;  ///< ns: maximum delay from a deadline until it ran
    bool slept = false;           ///< whether any sleep with a deadline ended; else overshoot is meaningless

    double of(trace::State state) const noexcept { return in[static_cast<std::size_t>(state)]; }
};

/// Of coroutine `co` within `span`.
Times times_of(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co, Range span);
/// Of all coroutines, by number.
std::vector<Times> times_of_all(const trace::Replay& replay, const TraceIndex& index, Range span);

/// Figures of a span for its sentence.
struct SpanFigures {
    Range span;
    std::size_t first = 0, last = 0;  ///< events [first, last)
    std::uint64_t switches = 0, waits = 0;
    std::array<double, 8> in{};  ///< sums over all tasks, ns
    double busy = 0;             ///< share of the machines' time in which they were busy
};
SpanFigures figures_of_span(const trace::Replay& replay, const TraceIndex& index, Range span);

/// The span for figures: the region, or the whole trace.
Range span_of(const TraceIndex& index, const Selection& selection) noexcept;

}  // namespace fiberscope::viewer
