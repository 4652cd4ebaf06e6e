#include "testing/measure/ratios.h"

#include <benchmark/benchmark.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

namespace fiberscope::testing {

namespace {

constexpr const char* kVariable = "FIBERSCOPE_BENCH_ROUND";  ///< set in the process of a round
constexpr double kQuiet = 0.1;                               ///< the part of all processors that other programs may use

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// ---- the process of a round -----------------------------------------------------------------------------------------

/// Prints each run as "name<tab>nanoseconds an item<tab>why it failed".
class Reporter : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const std::string why = failure(run);
            const auto items = run.counters.find("items_per_second");
            if (run.run_type != Run::RT_Iteration || (why.empty() && items == run.counters.end())) continue;
            const double ns = why.empty() ? 1e9 / items->second.value : 0;
            std::printf("%s\t%.6g\t%s\n", run.run_name.function_name.c_str(), ns, why.c_str());
            std::fflush(stdout);
        }
    }

  private:
    // A template, because Google Benchmark 1.8 uses other names.
    template <class R>
    static std::string failure(const R& run) {
        if constexpr (requires { run.error_occurred; })
            return run.error_occurred ? run.error_message : "";
        else
            return run.skipped ? run.skip_message : "";
    }
};

// ---- all rounds -----------------------------------------------------------------------------------------------------

using Round = std::map<std::string, double>;  ///< ns an item

/// Runs this program once more; returns false if a benchmark or the process failed.
bool measure(char** argv, Round& round) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        setenv(kVariable, "1", 1);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    close(ends[1]);
    bool well = true;
    FILE* const results = fdopen(ends[0], "r");
    char name[200], why[200];
    for (char line[500]; std::fgets(line, sizeof line, results) != nullptr;) {
        double ns = 0;
        const int parts = std::sscanf(line, "%199[^\t]\t%lf\t%199[^\n]", name, &ns, why);
        if (parts == 2) round[name] = ns;
        if (parts != 3) continue;
        std::fprintf(stderr, spoken("%s failed: %s\n"), name, why);
        well = false;
    }
    std::fclose(results);
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0 && well;
}

struct Spread {
    double median, least, most;
};
std::optional<Spread> spread_of(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    return Spread{values[values.size() / 2], values.front(), values.back()};
}

/// The value of `bar` in each round with all required measurements.
std::vector<double> values_of(const Bar& bar, const std::vector<Round>& rounds) {
    std::vector<double> values;
    for (const Round& round : rounds) {
        const auto has = [&](const std::string& name) { return round.count(name) != 0; };
        if (!has(bar.name) || !std::all_of(bar.over.begin(), bar.over.end(), has)) continue;
        double over = bar.over.empty() ? 1 : 0;
        for (const std::string& name : bar.over) over += round.at(name);
        values.push_back(round.at(bar.name) / over);
    }
    return values;
}

/// Whether the limit is kept.
bool print(const Bar& bar, const std::vector<Round>& rounds) {
    const auto value = spread_of(values_of(bar, rounds));
    if (!value) return true;
    std::string label = bar.name;
    for (const std::string& name : bar.over) label += (&name == bar.over.data() ? " / " : " + ") + name;
    std::printf(spoken("%-44s %8.2f   %.2f to %.2f"), label.c_str(), value->median, value->least, value->most);
    const bool kept = !bar.most || value->median <= *bar.most;
    if (bar.most) std::printf(spoken("   bar %.2f: %s"), *bar.most, verdict_in_words(kept));
    std::printf("\n");
    return kept;
}

/// CPU seconds used by others than this process and its ended children, including stolen time.
double seconds_of_others() {
    tms used{};
    times(&used);
    std::ifstream file("/proc/stat");
    std::string cpu;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupt = 0, soft = 0, stolen = 0;
    file >> cpu >> user >> nice >> system >> idle >> waiting >> interrupt >> soft >> stolen;
    const auto own = static_cast<double>(used.tms_utime + used.tms_stime + used.tms_cutime + used.tms_cstime);
    return (user + nice + system + interrupt + soft + stolen - own) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// "AMD EPYC 7763 (cpu family 25, model 1), 2 processors": figures are only valid for one model.
void print_processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string name, numbers;
    for (std::string line; std::getline(file, line) && !line.empty();) {
        const std::string key = line.substr(0, line.find_first_of("\t:")), value = line.substr(line.find(':') + 1);
        if (key == "model name") name = value;
        if (key == "cpu family" || key == "model" || key == "CPU part") numbers += " " + key + value;
    }
    std::printf(spoken("Processor:%s,%s; %u of them\n"), name.c_str(), numbers.c_str(),
                std::thread::hardware_concurrency());
    std::fflush(stdout);
}

struct Options {
    std::vector<char*> benchmarks;  ///< for Google Benchmark
    std::optional<int> rounds;
    double seconds = 200;
    bool strict = false, lists = false;
};

// Ours first, so that the caller's flags override them, as does the environment (read by Google Benchmark).
Options options_of(int argc, char** argv) {
    static char once[] = "--benchmark_repetitions=1", shuffled[] = "--benchmark_enable_random_interleaving=true",
                time[] = "--benchmark_min_time=0.05";
    Options all;
    all.benchmarks = {argv[0], once, shuffled};
    if (const char* wished = std::getenv("BENCHMARK_REPETITIONS")) all.rounds = std::max(1, std::atoi(wished));
    if (std::getenv("BENCHMARK_MIN_TIME") == nullptr) all.benchmarks.push_back(time);
    for (int i = 1; i < argc; ++i) {
        const std::string one = argv[i];
        const auto value = [&](const char* flag) {
            return one.rfind(flag, 0) == 0 ? argv[i] + one.find('=') + 1 : nullptr;
        };
        if (one == "--strict")
            all.strict = true;
        else if (const char* rounds = value("--benchmark_repetitions="))
            all.rounds = std::max(1, std::atoi(rounds));
        else if (const char* seconds = value("--seconds="))
            all.seconds = std::atof(seconds);
        else
            all.benchmarks.push_back(argv[i]);
        all.lists = all.lists || one.rfind("--benchmark_list_tests", 0) == 0;
    }
    return all;
}

void print_benchmarks(const std::vector<Round>& rounds) {
    std::map<std::string, std::vector<double>> all;
    for (const Round& round : rounds)
        for (const auto& [name, ns] : round) all[name].push_back(ns);
    std::printf("%-28s %s\n", "", spoken("    median      least       most   ns each"));
    for (const auto& [name, values] : all) {
        const Spread one = *spread_of(values);
        std::printf("%-28s %10.2f %10.2f %10.2f\n", name.c_str(), one.median, one.least, one.most);
    }
    std::printf("\n");
}

}  // namespace

int run_benchmarks(int argc, char** argv, const std::vector<Bar>& bars) {
    constexpr int kRounds = 9;
    Options options = options_of(argc, argv);
    int count = static_cast<int>(options.benchmarks.size());
    benchmark::Initialize(&count, options.benchmarks.data());
    if (benchmark::ReportUnrecognizedArguments(count, options.benchmarks.data())) return 2;
    if (options.lists) return benchmark::RunSpecifiedBenchmarks(), 0;
    if (std::getenv(kVariable) != nullptr) {
        unsetenv(kVariable);
        Reporter reporter;
        benchmark::RunSpecifiedBenchmarks(&reporter);
        return 0;
    }
    print_processor();
    const Clock::time_point begin = Clock::now();
    const double others_before = seconds_of_others();
    std::vector<Round> rounds;
    bool well = true;
    const auto time_is_left = [&] {
        const double done = static_cast<double>(rounds.size()), each = done == 0 ? 0 : seconds_since(begin) / done;
        return options.rounds || seconds_since(begin) + each <= options.seconds;
    };
    while (static_cast<int>(rounds.size()) < options.rounds.value_or(kRounds) && time_is_left()) {
        std::fprintf(stderr, spoken("round %zu of %d\n"), rounds.size() + 1, options.rounds.value_or(kRounds));
        well = measure(argv, rounds.emplace_back()) && well;
    }
    const double others = (seconds_of_others() - others_before) / seconds_since(begin) /
                          std::max(1U, std::thread::hardware_concurrency());
    print_benchmarks(rounds);
    bool kept = true;
    for (const Bar& bar : bars) kept = print(bar, rounds) && kept;
    std::printf(spoken("Other programs used %.0f %% of the processors.\n"), 100 * std::max(0.0, others));
    if (others > kQuiet)
        std::printf("%s", spoken("No bar counts as kept or missed: measure again when nothing else runs.\n"));
    if (rounds.front().empty() && well) return 2;
    return !well || (options.strict && !kept) ? 1 : 0;
}

}  // namespace fiberscope::testing
