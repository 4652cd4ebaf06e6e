// What the events about sets did: who enters and leaves, what moves within a set, how a tree is linked.
#pragma once

#include <string>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// Of event n, a `set`, `insert`, `remove`, `move`, `hand` or `link`: one sentence, without a full stop.
std::string describe_set_event(const Trace& trace, std::size_t n, Language language);

}  // namespace fiberscope::trace
