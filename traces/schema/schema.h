// The trace format, version 1, as types: what the recorder writes by and the reader reads by, so that neither knows the
// other. docs/trace-format.md is the prose.
#pragma once

#include "traces/schema/event.h"
#include "traces/schema/events.h"
#include "traces/schema/registers.h"
#include "traces/schema/words.h"

namespace fiberscope::trace {

inline constexpr int kFormatVersion = 1;

}  // namespace fiberscope::trace
