// Runs a written workload (file.h) on the scheduler of this thread.
#pragma once

#include <cstdint>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/settings.h"
#include "labs/04_scheduler/programs/written/file.h"

namespace fiberscope::lab04::written {

struct RunOptions {
    std::uint64_t seed = 1;     ///< for random times
    std::uint64_t quantum = 0;  ///< ns: longer work yields after each quantum; 0: work never yields
};

/// Starts and runs all tasks of the file on a scheduler with these settings, but with its own source. Returns the ns
/// that each task has worked, in the order of the file: the same for every strategy. Throws Stuck, and
/// std::runtime_error if a task ended by an exception.
std::vector<std::uint64_t> run(const File& file, Settings settings, const RunOptions& options);

}  // namespace fiberscope::lab04::written
