// Timing; and the memory of many parked coroutines, each kind in a separate process.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace fiberscope::testing {

/// The duration of `run` in seconds.
double seconds_of(const std::function<void()>& run);

/// Coroutines of one kind. `park(count, parked)` creates `count` of them, counts those that have parked, and calls
/// `report` when all have; it may throw std::system_error earlier, if memory is exhausted.
struct ParkedKind {
    const char* name;
    double most_mib;  ///< for a million
    void (*park)(std::size_t count, std::size_t& parked, const std::function<void()>& report);
};

/// `[COUNT] [--strict]`: parks COUNT coroutines of each kind (default: a million) and prints the memory that they added
/// to their process, with the limits for a million. Returns 1 if --strict is given and a limit is exceeded, else 0.
int parked_main(int argc, char** argv, const std::vector<ParkedKind>& kinds);

}  // namespace fiberscope::testing
