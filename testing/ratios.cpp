#include "testing/ratios.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
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
            if (run.run_type != Run::RT_Iteration) continue;
            const auto items = run.counters.find("items_per_second");
            if (items == run.counters.end()) continue;
            samples_[run.run_name.function_name].push_back(1e9 / items->second.value);
            if (++done_ % 10 == 0) std::fprintf(stderr, ".");
        }
    }

    std::optional<double> median(const std::string& name) {
        const auto found = samples_.find(name);
        if (found == samples_.end()) return std::nullopt;
        std::sort(found->second.begin(), found->second.end());
        return found->second[found->second.size() / 2];
    }

    void print() {
        std::printf("%-28s %10s %10s %10s   ns each\n", "", "median", "least", "most");
        for (auto& [name, values] : samples_) {
            const double middle = *median(name);
            std::printf("%-28s %10.2f %10.2f %10.2f\n", name.c_str(), middle, values.front(), values.back());
        }
    }

  private:
    std::map<std::string, std::vector<double>> samples_;
    int done_ = 0;
};

bool print_against(double value, std::optional<double> bar) {
    if (!bar) {
        std::printf("\n");
        return true;
    }
    std::printf("   bar %.2f: %s\n", *bar, value <= *bar ? "ok" : "MISSED");
    return value <= *bar;
}

bool print_ratio(Samples& samples, const Ratio& ratio) {
    const auto mine = samples.median(ratio.name), other = samples.median(ratio.over);
    if (!mine || !other) return true;
    const std::string label = ratio.name + " / " + ratio.over;
    std::printf("%-44s %8.2f", label.c_str(), *mine / *other);
    return print_against(*mine / *other, ratio.bar);
}

bool print_limit(Samples& samples, const Limit& limit) {
    const auto value = samples.median(limit.name);
    if (!value) return true;
    std::printf("%-44s %8.2f", (limit.name + ", ns").c_str(), *value);
    return print_against(*value, limit.ns);
}

bool print_sum(Samples& samples, const Sum& sum) {
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

// Ours first, so that the caller's flags overrule them.
std::vector<char*> with_defaults(int argc, char** argv, bool& strict) {
    static char interleaving[] = "--benchmark_enable_random_interleaving=true";
    static char repetitions[] = "--benchmark_repetitions=9";
    static char time[] = "--benchmark_min_time=0.05";
    std::vector<char*> all{argv[0], interleaving, repetitions, time};
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--strict") == 0)
            strict = true;
        else
            all.push_back(argv[i]);
    }
    return all;
}

}  // namespace

int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios, const std::vector<Limit>& limits,
                   const std::vector<Sum>& sums) {
    bool strict = false;
    std::vector<char*> arguments = with_defaults(argc, argv, strict);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    Samples samples;
    std::fprintf(stderr, "measuring ");
    benchmark::RunSpecifiedBenchmarks(&samples);
    std::fprintf(stderr, "\n");
    samples.print();
    std::printf("\n");
    bool kept = true;
    for (const Ratio& ratio : ratios) kept &= print_ratio(samples, ratio);
    for (const Limit& limit : limits) kept &= print_limit(samples, limit);
    for (const Sum& sum : sums) kept &= print_sum(samples, sum);
    return strict && !kept ? 1 : 0;
}

}  // namespace fiberscope::testing
