// Additional exercises that the fuzz target runs on a trace that could be read.
#pragma once

#include <vector>

#include "traces/replay/replay.h"

namespace fiberscope::trace::fuzz {

using Exercise = void (*)(Replay& replay);

inline std::vector<Exercise>& exercises() {
    static std::vector<Exercise> all;
    return all;
}

/// Registers an exercise; to be defined as a global variable.
struct AddExercise {
    explicit AddExercise(Exercise exercise) { exercises().push_back(exercise); }
};

}  // namespace fiberscope::trace::fuzz
