// How long tasks were ready each time, and how long they ran: as histograms with bars at 1, 2, 5 times powers of ten.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/tables/times.h"

namespace fiberscope::viewer {

/// Counts of durations: bin i holds those from edge(i) to below edge(i + 1).
struct Histogram {
    std::string title;                ///< "ready, each time: 42 times, half at most 12 µs, at most 92 µs"
    std::size_t first = 0;            ///< number of the first bin; edge(0) is 1 ns, and bin 0 holds 0 too
    std::vector<std::size_t> counts;  ///< without empty ones at both ends
    std::size_t all = 0;
};
/// Where bin n begins, ns: 1, 2, 5, 10, …
std::uint64_t bin_edge(std::size_t n) noexcept;

/// Of the stretches of all tasks in `state` that begin within `span`. A stretch in which the machine is idle counts as
/// none.
Histogram histogram_of(const trace::Replay& replay, const TraceIndex& index, trace::State state, Range span,
                       Language language = Language::english);

struct HistogramBar {
    Rect rect;
    std::string count;  ///< above it
    std::string label;  ///< below it: where it begins; empty without room
    std::string words;  ///< "12 times from 1 µs to below 2 µs"
};
struct HistogramView {
    Rect title;
    std::vector<std::string> heading;  ///< lines
    std::vector<HistogramBar> bars;
    float base = 0;  ///< y of the axis
};
HistogramView layout_histogram(const Histogram& histogram, Rect area, const Metrics& metrics);

}  // namespace fiberscope::viewer
