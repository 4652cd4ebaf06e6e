// The line above the lanes of one of several files.
#pragma once

#include <string>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {

/// What is shown, where the playhead is and what happened there: as much of each as fits, all parts whole.
struct RowTitle {
    std::string title;  ///< to be drawn in bold
    std::string where, happened;
};
/// `two`: what happened stands in a line of its own, as wide.
RowTitle row_title(const trace::Trace& trace, const Sentence& words, float room, const Metrics& metrics,
                   bool two = false);

}  // namespace fiberscope::viewer
