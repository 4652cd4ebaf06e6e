// Runs a written workload (file.h) on the scheduler of this thread.
#pragma once

#include <cstdint>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/settings.h"
#include "labs/04_scheduler/programs/written/file.h"

namespace fiberscope::lab04::written {

struct RunOptions {
    std::uint64_t seed = 1;     ///< of the times that the file leaves to chance
    std::uint64_t quantum = 0;  ///< ns: longer work yields after each of these; 0: work never yields
};

/// Begins all tasks of the file and runs them, by a scheduler with these settings but a source of its own. Returns for
/// how many ns each has worked, in the order of the file: the same for every strategy. Throws Stuck, and
/// std::runtime_error if a task ended by an exception.
std::vector<std::uint64_t> run(const File& file, Settings settings, const RunOptions& options);

}  // namespace fiberscope::lab04::written
