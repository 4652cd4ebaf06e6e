// The trace format, version 2, as types: what the recorder writes by and the reader reads by, so that neither knows the
// other. docs/trace-format.md is the prose.
#pragma once

#include "traces/schema/event.h"
#include "traces/schema/events.h"
#include "traces/schema/registers.h"
#include "traces/schema/words.h"

namespace fiberscope::trace {

/// What the recorder writes; the reader reads version 1 too, whose reasons are whole sentences.
inline constexpr int kFormatVersion = 2;

}  // namespace fiberscope::trace
