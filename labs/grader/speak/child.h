// A program whose lines are changed on their way to a person.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// A line without its end, as it shall be printed.
using ChangeLine = std::function<std::string(std::string_view line)>;

/// Runs a program, and prints the lines of its standard output and of its standard error, each to its own. SIGINT,
/// SIGTERM and SIGHUP from another process go to the program. `words` ends with null. Returns its exit status; 128 and
/// the signal's number if a signal has ended it; 127 if it cannot be started.
int run_changed(char* const* words, const ChangeLine& change);

}  // namespace fiberscope::grader
