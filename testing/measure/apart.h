// How long something takes; and the memory of many parked coroutines, each kind of them in a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace fiberscope::testing {

/// How many seconds `run` takes.
double seconds_of(const std::function<void()>& run);

/// Coroutines of one kind. `park(count, parked)` makes `count` of them, counts those that have parked, and calls
/// `report` when all have; it may throw std::system_error before, if there is no room for more.
struct ParkedKind {
    const char* name;
    double most_mib;  ///< for a million
    void (*park)(std::size_t count, std::size_t& parked, const std::function<void()>& report);
};

/// `[COUNT] [--strict]`: parks COUNT coroutines of each kind (a million unless another number is given) and prints the
/// memory that they have added to their process, with the bars for a million. Returns 1 if --strict is given and a bar
/// is missed, else 0.
int parked_main(int argc, char** argv, const std::vector<ParkedKind>& kinds);

}  // namespace fiberscope::testing
