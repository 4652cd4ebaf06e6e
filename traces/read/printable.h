// Text from a recording, made fit for a terminal.
#pragma once

#include <string>
#include <string_view>

#include "traces/read/foreign.h"

namespace fiberscope::trace {

/// The text of a file as a terminal, the window or a message may have it: with what a terminal would obey instead of
/// showing made visible: control characters (of C0 and C1) as "\n", "\t" or "\x1b", characters that turn the direction
/// of writing as "\u202e", bytes that are no UTF-8 as "\xff". Everything else stays as it is.
std::string printable(Foreign text);
/// The same of what a person typed, or of a name of a file.
std::string printable(std::string_view text);

}  // namespace fiberscope::trace
