// Reads one set out of the cells of a replay into the form that viewers want.
#pragma once

#include "traces/replay/layout.h"

namespace fiberscope::trace {

/// Fills `view` with set `index` as the cells hold it now. `nodes` of the layout must be sorted.
void read_set(const Trace& trace, const Cells& cells, const ReplayLayout& layout, std::uint32_t index, SetNow& view);

}  // namespace fiberscope::trace
