// Runs Google Benchmark's benchmarks and reports ratios against bars: absolute times depend on the computer, a ratio
// within one run hardly does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope::testing {

/// The text in the language of the environment, with the same places for values: a format of printf.
inline const char* spoken(const char* english) { return text_of(english, language_of_environment()).data(); }
/// "ok" or "MISSED", of a bar.
inline const char* verdict_in_words(bool kept) { return kept ? spoken("ok") : spoken("MISSED"); }

/// `name`'s time an item, divided by the sum of the times of `over`, should be at most `most`. An empty `over` means a
/// time in ns. Without `most` the value is only reported.
struct Bar {
    std::string name;
    std::vector<std::string> over;
    std::optional<double> most;
};

/// The main of a benchmark program. Measures in rounds, each in a process of its own, because the kernel places code
/// and stacks anew in each, and in random order: at most 9, and none that would end later than 200 s after the
/// beginning. A ratio is the median of the rounds' ratios. Prints the processor, the median and the spread of each
/// benchmark, each bar with "ok" or "MISSED", and how much of the processors other programs used. Every benchmark must
/// call SetItemsProcessed.
///
/// Flags: those of Google Benchmark (--benchmark_repetitions=N, or BENCHMARK_REPETITIONS in the environment, means N
/// rounds without a limit of time), --seconds=N, --strict. Returns 1 if a benchmark has failed, or a bar is missed and
/// --strict is given; 2 for wrong flags, or if nothing was measured; else 0.
int run_benchmarks(int argc, char** argv, const std::vector<Bar>& bars);

}  // namespace fiberscope::testing
