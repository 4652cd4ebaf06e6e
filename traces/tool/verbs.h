// The verbs of fiberscope-trace. Each writes to `out` and returns the exit status: 0, or 1 for a negative result (a
// broken invariant, recordings that differ). Throw ReadError for files that cannot be read.
#pragma once

#include <iosfwd>

#include "traces/read/trace.h"
#include "traces/tool/arguments.h"

namespace fiberscope::trace::tool {

int check_files(const Arguments& arguments, std::ostream& out);
int list_events(const Arguments& arguments, std::ostream& out);
/// Scheduling metrics of each file, in the columns of traces/words/figure_columns.h. Throws UsageError.
int print_figures(const Arguments& arguments, std::ostream& out);
int print_state(const Arguments& arguments, std::ostream& out);
int export_chrome(const Arguments& arguments, std::ostream& out);
int compare_files(const Arguments& arguments, std::ostream& out);

/// Writes the trace in the Chrome trace format (JSON), which Perfetto and speedscope can open.
void write_chrome(const Trace& trace, std::ostream& out);

/// The coroutine denoted by `text`: a number, or a name that is unique. Throws UsageError.
std::uint32_t find_coroutine(const Trace& trace, const std::string& text);

/// Runs the command line (without the program's name): finds the verb, prints help or errors. Returns the exit status.
int run(std::span<const std::string> words, std::ostream& out, std::ostream& err);

}  // namespace fiberscope::trace::tool
