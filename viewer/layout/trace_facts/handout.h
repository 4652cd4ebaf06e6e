// Where the handouts tell of what a trace shows, and which source file does it.
#pragma once

#include <span>
#include <string_view>

#include "traces/read/trace.h"

namespace fiberscope::viewer {

/// Paths in the tree of the labs.
struct Handout {
    std::string_view lab, name;        ///< of the trace's head: its strategy, or how its program begins
    std::string_view title;            ///< "step 4.4"
    std::string_view section, source;  ///< "labs/…/README.md#…", "labs/…/exercise/….cpp"
};

/// The entry for a trace; null if the labs have none for it.
const Handout* handout_of(const trace::Head& head) noexcept;

/// All entries, for the test that looks whether each file and each section is there.
std::span<const Handout> handouts() noexcept;

}  // namespace fiberscope::viewer
