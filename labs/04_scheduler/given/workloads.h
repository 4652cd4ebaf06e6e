// Workloads for all strategies: the results do not depend on the order of tasks, only the duration does. All random
// decisions depend on the seed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/kit/machines/work.h"

namespace fiberscope::lab04 {

/// Parameters of a workload. The thread must have a scheduler, with `io` as its source of events.
struct Stage {
    SimulatedSource& io;
    std::uint64_t seed = 1;
    void (*long_work)(std::uint64_t ns) = kit::work;  ///< used for long work without a yield
};

/// The results: a number for each piece of work, by the piece's index, independent of the order in which they end.
using Results = std::vector<std::uint64_t>;

struct Workload {
    const char* name;
    const char* description;  ///< one line
    /// Starts and runs all tasks. Throws std::runtime_error if one of them ended by an exception.
    Results (*run)(Stage& stage);
};

std::span<const Workload> workloads() noexcept;
/// Throws std::invalid_argument if unknown.
const Workload& workload(std::string_view name);

}  // namespace fiberscope::lab04
