// How far a build is, for a student who waits for it.
#pragma once

#include <string>
#include <string_view>

#include "labs/grader/process/process.h"

namespace fiberscope::grader {

class BuildProgress {
  public:
    /// What to say when the build tool has put out `output` after so long: "lab: building, [12/80]" every ten seconds,
    /// and nothing in between.
    std::string line(std::string_view output, Milliseconds since);

  private:
    Milliseconds next_{10'000};
};

}  // namespace fiberscope::grader
