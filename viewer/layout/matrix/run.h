// What the matrix shows of one run, computed once: its figures, and what its machines and its ready queue do over time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/words/figure_columns.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/trace_facts/divergence.h"

namespace fiberscope::viewer {

/// The shares of a machine's time in a part of the run, each 0 to 1: in which tasks ran, other coroutines (the
/// scheduler's loop) ran and found work, and it went round and found none. In the rest it was idle, or not there.
struct MachineShare {
    float tasks = 0, others = 0, spins = 0;
};

struct MatrixRun {
    static constexpr std::size_t kParts = 256;  ///< equal parts of the run

    std::string name;  ///< of the file, without ".json"
    trace::Figures figures;
    std::uint64_t duration = 0;  ///< ns
    std::vector<std::array<MachineShare, kParts>> machines;
    std::array<float, kParts> queue{};  ///< how many tasks waited for a machine, the mean in each part
};
/// Goes through all stretches.
MatrixRun matrix_run(const trace::Replay& replay, const TraceIndex& index, std::string name);

/// How a run decides otherwise than the reference.
struct MatrixDifference {
    std::string words;  ///< "34 of 72 decisions as mixed; first other at 12.3 µs"
    double first = -1;  ///< ns, in the run; negative: it never does
};
MatrixDifference matrix_difference(const Run& reference, const std::string& name, const Run& run, Language language);

}  // namespace fiberscope::viewer
