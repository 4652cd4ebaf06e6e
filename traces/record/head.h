// The first lines of a trace file, up to the bracket that its events follow.
#pragma once

#include <string>

#include "traces/record/recorder.h"

namespace fiberscope::trace::detail {

std::string head_text(const Meta& meta);

}  // namespace fiberscope::trace::detail
