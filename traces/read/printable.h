// Sanitizes text from a recording for display.
#pragma once

#include <string>
#include <string_view>

#include "traces/read/foreign.h"

namespace fiberscope::trace {

/// Escapes everything in the text of a file that a terminal or window would act on instead of displaying: control
/// characters (C0 and C1) as "
/// ", "\t" or "\x1b", characters that change the direction of writing as "\u202e", invalid UTF-8 as "\xff". The rest is
/// unchanged.
std::string printable(Foreign text);
/// The same for text that was typed, or for a file name.
std::string printable(std::string_view text);

}  // namespace fiberscope::trace
