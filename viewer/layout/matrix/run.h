// Data of one run for the matrix, computed once: its figures, and the activity of its machines and ready queue over
// time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/words/figure_columns.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/trace_facts/divergence.h"

namespace fiberscope::viewer {

/// Shares of a machine's time in one part of the run, each 0 to 1: running tasks; running other coroutines (the
/// scheduler's loop) that found work; spinning without finding any. The remainder is idle, or the machine did not
/// exist.
struct MachineShare {
    float tasks = 0, others = 0, spins = 0;
};

struct MatrixRun {
    static constexpr std::size_t kParts = 256;  ///< equal parts of the run

    std::string name;  ///< of the file, without ".json"
    trace::Figures figures;
    std::uint64_t duration = 0;  ///< ns
    std::vector<std::array<MachineShare, kParts>> machines;
    std::array<float, kParts> queue{};  ///< mean number of tasks waiting for a machine, per part
};
/// Iterates over all stretches.
MatrixRun matrix_run(const trace::Replay& replay, const TraceIndex& index, std::string name);

/// How the decisions of a run differ from those of the reference.
struct MatrixDifference {
    std::string words;  ///< "34 of 72 decisions as mixed; first other at 12.3 µs"
    double first = -1;  ///< ns, time of the first different decision; negative: none
};
MatrixDifference matrix_difference(const Run& reference, const std::string& name, const Run& run, Language language);

}  // namespace fiberscope::viewer
