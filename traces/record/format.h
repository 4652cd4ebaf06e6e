// One event as one line of JSON, without comma and line end.
#pragma once

#include "traces/record/buffer.h"
#include "traces/record/registers.h"
#include "traces/record/text.h"

namespace fiberscope::trace::detail {

/// Async-signal-safe. `out` must have room for kMostLine.
void format(Text& out, const Stored& stored, AddressWords& words) noexcept;

}  // namespace fiberscope::trace::detail
