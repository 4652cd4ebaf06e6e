// The trace format, version 2, as types, which decouple the recorder from the reader. Described in
// docs/trace-format.md.
#pragma once

#include "traces/schema/event.h"
#include "traces/schema/events.h"
#include "traces/schema/registers.h"
#include "traces/schema/words.h"

namespace fiberscope::trace {

/// The version that is written; the reader also accepts version 1, whose reasons are whole sentences.
inline constexpr int kFormatVersion = 2;

}  // namespace fiberscope::trace
