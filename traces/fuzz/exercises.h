// What the fuzz target does with a trace that could be read, besides what it does itself.
#pragma once

#include <vector>

#include "traces/replay/replay.h"

namespace fiberscope::trace::fuzz {

using Exercise = void (*)(Replay& replay);

inline std::vector<Exercise>& exercises() {
    static std::vector<Exercise> all;
    return all;
}

/// As a global variable: adds one.
struct AddExercise {
    explicit AddExercise(Exercise exercise) { exercises().push_back(exercise); }
};

}  // namespace fiberscope::trace::fuzz
