// Descriptions of set events: which member enters or leaves, moves within a set, or how a tree is linked.
#pragma once

#include <string>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// Describes event n, a `set`, `insert`, `remove`, `move`, `hand` or `link`, in one sentence without a full stop.
std::string describe_set_event(const Trace& trace, std::size_t n, Language language);

}  // namespace fiberscope::trace
