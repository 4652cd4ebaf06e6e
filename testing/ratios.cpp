#include "testing/ratios.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace fiberscope::testing {

namespace {

// Nanoseconds an item, of each repetition of each benchmark.
class Samples : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || failed(run)) continue;
            const auto items = run.counters.find("items_per_second");
            if (items == run.counters.end()) continue;
            samples_[run.run_name.function_name].push_back(1e9 / items->second.value);
            if (++done_ % 10 == 0) std::fprintf(stderr, ".");
        }
    }

    std::optional<double> median(const std::string& name) const {
        const auto found = samples_.find(name);
        return found == samples_.end() ? std::nullopt : std::optional(median_of(found->second));
    }

    /// `name`'s time divided by that of `over`.
    std::optional<double> ratio(const std::string& name, const std::string& over, Order order) const {
        const auto mine = samples_.find(name), other = samples_.find(over);
        if (mine == samples_.end() || other == samples_.end()) return std::nullopt;
        if (order == Order::shuffled) return median_of(mine->second) / median_of(other->second);
        std::vector<double> rounds;
        for (std::size_t i = 0; i < std::min(mine->second.size(), other->second.size()); ++i)
            rounds.push_back(mine->second[i] / other->second[i]);
        return median_of(rounds);
    }

    bool empty() const noexcept { return samples_.empty(); }
    bool any_failed() const noexcept { return any_failed_; }

    void print() const {
        std::printf("%-28s %10s %10s %10s   ns each\n", "", "median", "least", "most");
        for (const auto& [name, values] : samples_) {
            const auto [least, most] = std::minmax_element(values.begin(), values.end());
            std::printf("%-28s %10.2f %10.2f %10.2f\n", name.c_str(), median_of(values), *least, *most);
        }
    }

  private:
    // A template, because Google Benchmark 1.8 has other names for it.
    template <class R>
    bool failed(const R& run) {
        std::string why;
        if constexpr (requires { run.error_occurred; })
            why = run.error_occurred ? run.error_message : "";
        else
            why = run.skipped ? run.skip_message : "";
        if (why.empty()) return false;
        std::fprintf(stderr, "\n%s failed: %s\n", run.run_name.function_name.c_str(), why.c_str());
        any_failed_ = true;
        return true;
    }

    static double median_of(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    }

    std::map<std::string, std::vector<double>> samples_;
    int done_ = 0;
    bool any_failed_ = false;
};

bool print_against(double value, std::optional<double> bar) {
    if (!bar) {
        std::printf("\n");
        return true;
    }
    std::printf("   bar %.2f: %s\n", *bar, value <= *bar ? "ok" : "MISSED");
    return value <= *bar;
}

bool print_ratio(const Samples& samples, const Ratio& ratio, Order order) {
    const auto value = samples.ratio(ratio.name, ratio.over, order);
    if (!value) return true;
    const std::string label = ratio.name + " / " + ratio.over;
    std::printf("%-44s %8.2f", label.c_str(), *value);
    return print_against(*value, ratio.bar);
}

bool print_limit(const Samples& samples, const Limit& limit) {
    const auto value = samples.median(limit.name);
    if (!value) return true;
    std::printf("%-44s %8.2f", (limit.name + ", ns").c_str(), *value);
    return print_against(*value, limit.ns);
}

bool print_sum(const Samples& samples, const Sum& sum) {
    const auto value = samples.median(sum.name);
    double most = 0;
    std::string label = sum.name + ", ns; at most";
    for (const auto& [factor, name] : sum.parts) {
        const auto part = samples.median(name);
        if (!part) return true;
        most += factor * *part;
        char text[32];
        std::snprintf(text, sizeof text, " %g ", factor);
        label += (&name == &sum.parts.front().second ? "" : " +") + std::string(text) + name;
    }
    if (!value) return true;
    std::printf("%-66s %8.2f", label.c_str(), *value);
    return print_against(*value, most);
}

struct Arguments {
    std::vector<char*> benchmarks;  ///< for Google Benchmark
    bool strict = false;
    int rounds = 1;  ///< how often everything is run; its repetitions are within one
};

constexpr const char* kRepetitions = "--benchmark_repetitions=";

// Ours first, so that the caller's flags overrule them; and what the environment says (Google Benchmark reads it) overrules
// ours too.
Arguments arguments_of(int argc, char** argv, Order order) {
    static char interleaving[] = "--benchmark_enable_random_interleaving=true";
    static char repetitions[] = "--benchmark_repetitions=9";
    static char once[] = "--benchmark_repetitions=1";
    static char time[] = "--benchmark_min_time=0.05";
    const char* wished = std::getenv("BENCHMARK_REPETITIONS");
    const bool in_rounds = order == Order::rounds;
    Arguments all{{argv[0], interleaving}};
    if (in_rounds) {
        all.rounds = wished == nullptr ? 9 : std::max(1, std::atoi(wished));
        all.benchmarks.push_back(once);
    } else if (wished == nullptr) {
        all.benchmarks.push_back(repetitions);
    }
    if (std::getenv("BENCHMARK_MIN_TIME") == nullptr) all.benchmarks.push_back(time);
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--strict") == 0)
            all.strict = true;
        else if (in_rounds && std::strncmp(argv[i], kRepetitions, std::strlen(kRepetitions)) == 0)
            all.rounds = std::max(1, std::atoi(argv[i] + std::strlen(kRepetitions)));
        else
            all.benchmarks.push_back(argv[i]);
    }
    return all;
}

}  // namespace

int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios, const std::vector<Limit>& limits,
                   const std::vector<Sum>& sums, Order order) {
    Arguments arguments = arguments_of(argc, argv, order);
    int count = static_cast<int>(arguments.benchmarks.size());
    benchmark::Initialize(&count, arguments.benchmarks.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.benchmarks.data())) return 2;
    Samples samples;
    std::fprintf(stderr, "measuring ");
    for (int round = 0; round < arguments.rounds; ++round) benchmark::RunSpecifiedBenchmarks(&samples);
    std::fprintf(stderr, "\n");
    if (samples.empty() && !samples.any_failed()) {
        std::fprintf(
            stderr,
            "No benchmark was measured: --benchmark_filter names none. --benchmark_list_tests shows their names.\n");
        return 2;
    }
    samples.print();
    std::printf("\n");
    bool kept = true;
    for (const Ratio& ratio : ratios) kept &= print_ratio(samples, ratio, order);
    for (const Limit& limit : limits) kept &= print_limit(samples, limit);
    for (const Sum& sum : sums) kept &= print_sum(samples, sum);
    return samples.any_failed() || (arguments.strict && !kept) ? 1 : 0;
}

}  // namespace fiberscope::testing
