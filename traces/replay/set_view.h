// Decodes one set from the cells of a replay into the form that viewers use.
#pragma once

#include "traces/replay/layout.h"

namespace fiberscope::trace {

/// Fills `view` with the current state of set `index`. `nodes` of the layout must be sorted.
void read_set(const Trace& trace, const Cells& cells, const ReplayLayout& layout, std::uint32_t index, SetNow& view);

}  // namespace fiberscope::trace
