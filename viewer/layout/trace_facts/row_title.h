// The title above the lanes of one of several files.
#pragma once

#include <string>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {

/// The title, the position of the playhead and the event there, each shortened to fit.
struct RowTitle {
    std::string title;  ///< drawn in bold
    std::string where, happened;
};
/// `two`: the event has its own line of the same width.
RowTitle row_title(const trace::Trace& trace, const Sentence& words, float room, const Metrics& metrics,
                   bool two = false);

}  // namespace fiberscope::viewer
