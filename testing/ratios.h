// Runs Google Benchmark's benchmarks and reports ratios of medians against bars: absolute times depend on the machine,
// a ratio within one run hardly does.
#pragma once

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

/// How repetitions follow each other.
enum class Order {
    shuffled,  ///< all of them in random order; a ratio is that of the medians
    rounds,  ///< each round measures everything once; a ratio is the median of the rounds' ratios. For what takes long: where
             ///< the machine's speed changes meanwhile, it changes for both of them
};

/// The main of a benchmark program: makes 9 repetitions of every benchmark (flags of Google Benchmark may change that), prints
/// each one's median and spread, and then each ratio, limit and sum with "ok" or "MISSED". Every benchmark must call
/// SetItemsProcessed. Returns 1 if one has failed, or a bar is missed and --strict is given; 2 if none was measured; else 0.
int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios, const std::vector<Limit>& limits = {},
                   const std::vector<Sum>& sums = {}, Order order = Order::shuffled);

}  // namespace fiberscope::testing
