// Text from a recording, made fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::trace {

/// `text` with what a terminal would obey instead of showing made visible: control characters (of C0 and C1) as "\n",
/// "\t" or "\x1b", characters that turn the direction of writing as "\u202e", bytes that are no UTF-8 as "\xff".
/// Everything else stays as it is. Every name and text of a recording passes through here before it is printed.
std::string printable(std::string_view text);

}  // namespace fiberscope::trace
