// Work to be scheduled, the same for every strategy: what it gives does not depend on which task runs when, only how
// long it takes does. Everything random comes from the seed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/kit/machines/work.h"

namespace fiberscope::lab04 {

/// What a workload is given. The thread's scheduler must be there, with `io` as its source of events.
struct Stage {
    SimulatedSource& io;
    std::uint64_t seed = 1;
    void (*long_work)(std::uint64_t ns) = kit::work;  ///< what does not give way for long works by this
};

/// What the work gave: a number for each piece of it, by the piece's index and not in the order of their ends.
using Results = std::vector<std::uint64_t>;

struct Workload {
    const char* name;
    const char* description;  ///< one line
    /// Begins the tasks and runs them all. Throws std::runtime_error if one of them ended by an exception.
    Results (*run)(Stage& stage);
};

std::span<const Workload> workloads() noexcept;
/// Throws std::invalid_argument.
const Workload& workload(std::string_view name);

}  // namespace fiberscope::lab04
