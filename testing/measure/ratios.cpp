#include "testing/measure/ratios.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testing/measure/processor.h"
#include "testing/measure/quiet.h"
#include "testing/measure/rounds.h"

namespace fiberscope::testing {

namespace {

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

bool asks_for_help(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc,
                       [](const char* one) { return std::strcmp(one, "--help") == 0 || std::strcmp(one, "-h") == 0; });
}

void print_help() {
    std::printf("%s", spoken("  --seconds=N                     measure no longer than this (200)\n"
                             "  --benchmark_repetitions=N       exactly so many rounds, however long they take\n"
                             "  --benchmark_filter=REGEX        only those whose names match\n"
                             "  --benchmark_min_time=SECONDS    of one measurement, at least (0.05)\n"
                             "  --benchmark_list_tests          print the names, and measure nothing\n"
                             "  --json=FILE                     write processor, samples and ratios to this file\n"
                             "  --strict                        status 1 if a bar is missed\n"));
}

// Nanoseconds an item, of each benchmark in each round.
class Samples {
  public:
    void add(const Measurement& one) {
        if (one.failure.empty()) {
            samples_[one.name][round_] = one.ns;
            return;
        }
        std::fprintf(stderr, spoken("\n%s failed: %s\n"), one.name.c_str(), one.failure.c_str());
        any_failed_ = true;
    }

    void begin_round() { ++round_; }

    std::optional<double> median(const std::string& name) const {
        const auto found = samples_.find(name);
        return found == samples_.end() ? std::nullopt : std::optional(median_of(values(found->second)));
    }

    /// `name`'s time divided by that of `over`, in each round that has measured both.
    std::vector<double> ratios(const std::string& name, const std::string& over) const {
        const auto mine = samples_.find(name), other = samples_.find(over);
        std::vector<double> all;
        if (mine == samples_.end() || other == samples_.end()) return all;
        for (const auto& [round, ns] : mine->second)
            if (other->second.count(round) != 0) all.push_back(ns / other->second.at(round));
        return all;
    }

    std::optional<double> ratio(const std::string& name, const std::string& over) const {
        const std::vector<double> all = ratios(name, over);
        return all.empty() ? std::nullopt : std::optional(median_of(all));
    }

    nlohmann::json as_json() const {
        nlohmann::json all = nlohmann::json::object();
        for (const auto& [name, rounds] : samples_) all[name] = values(rounds);
        return all;
    }

    bool any_failed() const noexcept { return any_failed_; }

    void print() const {
        std::printf("%-28s %s\n", "", spoken("    median      least       most   ns each"));
        for (const auto& [name, rounds] : samples_) {
            const std::vector<double> all = values(rounds);
            const auto [least, most] = std::minmax_element(all.begin(), all.end());
            std::printf("%-28s %10.2f %10.2f %10.2f\n", name.c_str(), median_of(all), *least, *most);
        }
    }

  private:
    using Rounds = std::map<int, double>;

    static std::vector<double> values(const Rounds& rounds) {
        std::vector<double> all;
        for (const auto& [round, ns] : rounds) all.push_back(ns);
        return all;
    }

    std::map<std::string, Rounds> samples_;
    int round_ = 0;
    bool any_failed_ = false;
};

// The bars: each is printed as it is compared, and those that are missed are kept.
class Bars {
  public:
    explicit Bars(const Samples& samples) : samples_(samples) {}

    void compare(const Ratio& ratio) {
        const std::vector<double> all = samples_.ratios(ratio.name, ratio.over);
        if (all.empty()) return;
        const auto [least, most] = std::minmax_element(all.begin(), all.end());
        char spread[48];
        std::snprintf(spread, sizeof spread, spoken("   %.2f to %.2f"), *least, *most);
        compare(ratio.name + " / " + ratio.over, 44, median_of(all), ratio.bar, spread);
    }

    void compare(const Limit& limit) {
        const auto value = samples_.median(limit.name);
        if (value) compare(limit.name + spoken(", ns"), 44, *value, limit.ns);
    }

    void compare(const Sum& sum) {
        const auto value = samples_.median(sum.name);
        double most = 0;
        std::string label = sum.name + spoken(", ns; at most");
        for (const auto& [factor, name] : sum.parts) {
            const auto part = samples_.median(name);
            if (!part) return;
            most += factor * *part;
            char text[32];
            std::snprintf(text, sizeof text, " %g ", factor);
            label += (&name == &sum.parts.front().second ? "" : " +") + std::string(text) + name;
        }
        if (value) compare(label, 66, *value, most);
    }

    /// Which bars were missed, and whether that can be believed.
    void conclude(const QuietVerdict& computer) const {
        if (bars_ == 0)
            std::printf("%s", spoken("\nNo bar was measured.\n"));
        else if (missed_.empty())
            std::printf(spoken("\nAll bars are kept: %d of %d.\n"), bars_, bars_);
        else
            std::printf(spoken("\n%zu of %d bars were missed:\n"), missed_.size(), bars_);
        for (const std::string& one : missed_) std::printf("  %s\n", one.c_str());
        const char* const quiet = spoken("The computer was quiet enough to judge: %s.\n");
        const char* const noisy = spoken(
            "The computer was not quiet enough to judge, so no bar counts as kept or missed: %s. Measure again when "
            "nothing else runs.\n");
        std::printf(computer.quiet ? quiet : noisy, computer.why.c_str());
    }

    bool all_kept() const noexcept { return missed_.empty(); }

  private:
    void compare(const std::string& label, int width, double value, std::optional<double> bar,
                 const char* spread = "") {
        std::printf("%-*s %8.2f%s", width, label.c_str(), value, spread);
        if (bar) std::printf(spoken("   bar %.2f: %s"), *bar, verdict_in_words(value <= *bar));
        std::printf("\n");
        if (!bar) return;
        ++bars_;
        char figures[64];
        std::snprintf(figures, sizeof figures, spoken(": %.2f, bar %.2f"), value, *bar);
        if (value > *bar) missed_.push_back(label + figures);
    }

    const Samples& samples_;
    int bars_ = 0;
    std::vector<std::string> missed_;
};

struct Arguments {
    std::vector<char*> benchmarks;  ///< for Google Benchmark
    bool strict = false;
    std::string json;  ///< file for --json; empty: none
    RoundOptions rounds;
    const char* refused = nullptr;
};

/// What follows `flag=` in `argument`, or nothing.
const char* value_of(const char* argument, const char* flag) {
    const std::size_t length = std::strlen(flag);
    return std::strncmp(argument, flag, length) == 0 && argument[length] == '=' ? argument + length + 1 : nullptr;
}

// Ours first, so that the caller's flags overrule them; and what the environment says (Google Benchmark reads it)
// overrules ours too.
Arguments arguments_of(int argc, char** argv) {
    static char once[] = "--benchmark_repetitions=1";
    static char time[] = "--benchmark_min_time=0.05";
    Arguments all;
    all.benchmarks = {argv[0], once};
    if (const char* wished = std::getenv("BENCHMARK_REPETITIONS")) all.rounds.rounds = std::max(1, std::atoi(wished));
    if (std::getenv("BENCHMARK_MIN_TIME") == nullptr) all.benchmarks.push_back(time);
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--strict") == 0)
            all.strict = true;
        else if (const char* rounds = value_of(argv[i], "--benchmark_repetitions"))
            all.rounds.rounds = std::max(1, std::atoi(rounds));
        else if (const char* file = value_of(argv[i], "--json"))
            all.json = file;
        else if (const char* seconds = value_of(argv[i], "--seconds"))
            all.rounds.seconds = std::atof(seconds);
        else if (value_of(argv[i], "--benchmark_out") != nullptr)
            all.refused =
                spoken("--benchmark_out cannot be used: each round would overwrite the file. Use --json=FILE.");
        else
            all.benchmarks.push_back(argv[i]);
    }
    return all;
}

bool asks_for_names(const Arguments& arguments) {
    return std::any_of(arguments.benchmarks.begin(), arguments.benchmarks.end(), [](const char* one) {
        return std::strcmp(one, "--benchmark_list_tests") == 0 || std::strcmp(one, "--benchmark_list_tests=true") == 0;
    });
}

/// The first parts of the names that a ratio, a limit or a sum needs.
std::set<std::string> needed_by(const std::vector<Ratio>& ratios, const std::vector<Limit>& limits,
                                const std::vector<Sum>& sums) {
    std::set<std::string> all;
    for (const Ratio& ratio : ratios) all.insert({ratio.name, ratio.over});
    for (const Limit& limit : limits) all.insert(limit.name);
    for (const Sum& sum : sums) {
        all.insert(sum.name);
        for (const auto& part : sum.parts) all.insert(part.second);
    }
    return all;
}

bool write_json(const std::string& file, const Samples& samples, const std::vector<Ratio>& ratios,
                const QuietVerdict& computer) {
    const Processor processor = processor_here();
    nlohmann::json compared = nlohmann::json::array();
    for (const Ratio& ratio : ratios) {
        const std::vector<double> all = samples.ratios(ratio.name, ratio.over);
        if (all.empty()) continue;
        compared.push_back({{"name", ratio.name}, {"over", ratio.over}, {"median", median_of(all)}, {"rounds", all}});
        if (ratio.bar) compared.back()["bar"] = *ratio.bar;
    }
    std::ofstream out(file);
    out << nlohmann::json{{"processor",
                           {{"name", processor.model}, {"numbers", processor.numbers}, {"count", processor.count}}},
                          {"quiet", computer.quiet},
                          {"ns_per_item", samples.as_json()},
                          {"ratios", compared}}
               .dump(2)
        << "\n";
    out.close();
    if (!out) std::fprintf(stderr, spoken("%s cannot be written.\n"), file.c_str());
    return !out.fail();
}

}  // namespace

int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios, const std::vector<Limit>& limits,
                   const std::vector<Sum>& sums, const std::function<void(const RatioOf&)>& tell) {
    if (asks_for_help(argc, argv)) return print_help(), 0;
    Arguments arguments = arguments_of(argc, argv);
    if (arguments.refused != nullptr) {
        std::fprintf(stderr, "%s\n", arguments.refused);
        return 2;
    }
    int count = static_cast<int>(arguments.benchmarks.size());
    benchmark::Initialize(&count, arguments.benchmarks.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.benchmarks.data())) return 2;
    if (BenchWorker::serve()) return 0;
    const std::vector<std::string> names = benchmark_names();
    if (asks_for_names(arguments)) {
        for (const std::string& name : names) std::printf("%s\n", name.c_str());
        return 0;
    }
    Samples samples;
    if (names.empty()) {
        std::fprintf(
            stderr, "%s\n",
            spoken(
                "No benchmark was measured: --benchmark_filter names none. --benchmark_list_tests shows their names."));
        return 2;
    }
    const std::set<std::string> needed = needed_by(ratios, limits, sums);
    BenchRounds rounds(
        names, [&](const std::string& name) { return needed.count(name.substr(0, name.find('/'))) != 0; },
        arguments.rounds);
    QuietWatch watch;
    std::printf(spoken("Processor: %s\n"), in_words(processor_here()).c_str());
    std::fflush(stdout);
    rounds.run([&](const Measurement& one) { samples.add(one); }, [&] { samples.begin_round(); },
               [&] { watch.look(); });
    const QuietVerdict verdict = watch.verdict();
    if (tell)
        tell([&](const std::string& name, const std::string& over) { return samples.ratio(name, over); });
    else
        samples.print();
    std::printf("\n");
    Bars bars(samples);
    for (const Ratio& ratio : ratios) bars.compare(ratio);
    for (const Limit& limit : limits) bars.compare(limit);
    for (const Sum& sum : sums) bars.compare(sum);
    bars.conclude(verdict);
    if (!rounds.unmeasured().empty())
        std::printf(spoken("There was no time for %zu of %zu benchmarks; --seconds=N gives more.\n"),
                    rounds.unmeasured().size(), names.size());
    if (!arguments.json.empty() && !write_json(arguments.json, samples, ratios, verdict)) return 2;
    return samples.any_failed() || (arguments.strict && !bars.all_kept()) ? 1 : 0;
}

}  // namespace fiberscope::testing
