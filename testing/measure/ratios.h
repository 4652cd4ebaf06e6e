// Runs Google Benchmark's benchmarks and compares ratios with limits: absolute times depend on the computer, ratios
// within one run hardly do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope::testing {

/// The text in the language of the environment, with the same placeholders: a printf format.
inline const char* spoken(const char* english) { return text_of(english, language_of_environment()).data(); }
/// "ok" or "MISSED", of a bar.
inline const char* verdict_in_words(bool kept) { return kept ? spoken("ok") : spoken("MISSED"); }

/// The time per item of `name`, divided by the sum of the times of `over`, should be at most `most`. An empty `over`
/// means a time in ns. Without `most` the value is only reported.
struct Bar {
    std::string name;
    std::vector<std::string> over;
    std::optional<double> most;
};

/// The main of a benchmark program. Measures in rounds, each in a separate process, because the kernel places code and
/// stacks differently in each, and in random order: at most 9, none of which would end later than 200 s after the
/// start. A ratio is the median of the rounds' ratios. Prints the processor, the median and the spread of each
/// benchmark, each limit with "ok" or "MISSED", and the processor usage of other programs. Every benchmark must call
/// SetItemsProcessed.
///
/// Flags: those of Google Benchmark (--benchmark_repetitions=N, or BENCHMARK_REPETITIONS in the environment, means N
/// rounds without a time limit), --seconds=N, --strict. Returns 1 if a benchmark has failed, or a limit is exceeded and
/// --strict is given; 2 for wrong flags, or if nothing was measured; else 0.
int run_benchmarks(int argc, char** argv, const std::vector<Bar>& bars);

}  // namespace fiberscope::testing
