// Runs Google Benchmark's benchmarks and reports ratios against bars: absolute times depend on the computer, a ratio
// within one run hardly does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fiberscope::testing {

/// `name`'s time an item, divided by that of `over`, should be at most `bar`; without a bar it is only reported.
struct Ratio {
    std::string name;
    std::string over;
    std::optional<double> bar;
};
/// `name`'s time an item should be at most the sum of `parts`: each a factor and the name of another benchmark.
struct Sum {
    std::string name;
    std::vector<std::pair<double, std::string>> parts;
};
/// `name` should take at most `ns` an item.
struct Limit {
    std::string name;
    double ns;
};

/// The main of a benchmark program. It measures in rounds (rounds.h), each in a process of its own: at most 9,
/// and within 200 s. A ratio is the median of the rounds' ratios: where the computer's speed changes meanwhile, it
/// changes for both. It prints the processor, the median and the spread of each benchmark, then each ratio with its
/// spread, each limit and each sum with "ok" or "MISSED", and at the end the bars that were missed and whether the
/// computer was quiet enough to judge. Every benchmark must call SetItemsProcessed.
///
/// Flags: those of Google Benchmark (--benchmark_repetitions=N, or BENCHMARK_REPETITIONS in the environment, means N
/// rounds without a limit of time; --benchmark_out is refused), --seconds=N, --json=FILE, --strict. Returns 1 if a
/// benchmark has failed, or a bar is missed and --strict is given; 2 if none was measured or FILE cannot be written;
/// else 0.
/// With `tell`, that prints instead of all these; only what is said of the computer is added.
using RatioOf = std::function<std::optional<double>(const std::string& name, const std::string& over)>;
int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios, const std::vector<Limit>& limits = {},
                   const std::vector<Sum>& sums = {}, const std::function<void(const RatioOf&)>& tell = {});

}  // namespace fiberscope::testing
