#include "testing/measure/rounds.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "testing/measure/quiet.h"

namespace fiberscope::testing {

namespace {

constexpr int kRounds = 9;
constexpr int kFewest = 3;                   ///< rounds of which a median is worth something
constexpr double kSecondsBetweenLines = 15;  ///< of progress, where it is not a terminal

bool on_terminal() {
    static const bool yes = isatty(STDERR_FILENO) == 1;
    return yes;
}

class Silent : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

void set_flag(const char* flag) {
    std::string program = "bench", copy = flag;
    char* arguments[] = {program.data(), copy.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
}

}  // namespace

std::vector<std::string> benchmark_names() {
    std::ostringstream out;
    Silent reporter;
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&out);
    set_flag("--benchmark_list_tests=true");
    benchmark::RunSpecifiedBenchmarks(&reporter);
    set_flag("--benchmark_list_tests=false");
    std::vector<std::string> names;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);)
        if (line.rfind("Failed to match", 0) != 0) names.push_back(line);
    return names;
}

std::string exactly(const std::string& name) {
    std::string pattern = "^";
    for (const char c : name) {
        if (std::string(".[]{}()*+?^$|\\").find(c) != std::string::npos) pattern += '\\';
        pattern += c;
    }
    return pattern + "$";
}

BenchRounds::BenchRounds(std::vector<std::string> names, const std::function<bool(const std::string&)>& needed,
                         RoundOptions options)
    : names_(std::move(names)), options_(options), planned_(options.rounds.value_or(kRounds)), began_(Clock::now()) {
    std::copy_if(names_.begin(), names_.end(), std::back_inserter(needed_), needed);
}

double BenchRounds::elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

double BenchRounds::cost_of(const std::vector<std::string>& names) const {
    double sum = 0;
    for (const std::string& name : names) {
        const auto found = costs_.find(name);
        sum += found == costs_.end() ? 0 : found->second;
    }
    return sum;
}

void BenchRounds::measure(const std::string& name, const std::function<void(const Measurement&)>& result) {
    const double from = elapsed();
    worker_.measure(name, result);
    costs_[name] = elapsed() - from;
}

// After the first round it is known what a round takes.
void BenchRounds::plan() {
    if (options_.rounds) return;
    const double left = options_.seconds - elapsed();
    const auto more = [&] {
        const double cost = std::max(cost_of(names_), 1e-3);
        return static_cast<int>(std::clamp(left / cost, 0.0, kRounds - 1.0));
    };
    if (1 + more() < kFewest && !needed_.empty()) names_ = needed_;
    planned_ = 1 + more();
}

double BenchRounds::time_left(std::size_t after) const {
    const double limit = options_.rounds ? 1e9 : std::max(0.0, options_.seconds - elapsed());
    const auto here = names_.begin() + static_cast<std::ptrdiff_t>(after);
    if (done_ > 0) return std::min(limit, cost_of({here, names_.end()}) + (planned_ - done_ - 1) * cost_of(names_));
    const double each = after == 0 ? 1 : elapsed() / static_cast<double>(after);
    return std::min(limit, each * static_cast<double>(names_.size() * static_cast<std::size_t>(planned_) - after));
}

void BenchRounds::show(std::size_t index, const std::string& name) {
    const bool terminal = on_terminal();
    const bool first = done_ == 0 && index == 0;
    if (!terminal && !first && std::chrono::duration<double>(Clock::now() - shown_).count() < kSecondsBetweenLines)
        return;
    shown_ = Clock::now();
    std::fprintf(stderr, spoken("%sround %d of %s%d, %zu of %zu: %s; %s%.0f s left%s"), terminal ? "\r\033[K" : "",
                 done_ + 1, done_ == 0 && !options_.rounds ? spoken("up to ") : "", planned_, index + 1, names_.size(),
                 name.c_str(), done_ == 0 ? spoken("about ") : "", time_left(index), terminal ? "" : "\n");
}

void BenchRounds::run(const std::function<void(const Measurement&)>& result, const std::function<void()>& next_round,
                      const std::function<void()>& between) {
    const auto over = [&] { return !options_.rounds && elapsed() > options_.seconds; };
    for (; done_ < planned_ && !over(); ++done_) {
        next_round();
        std::shuffle(names_.begin(), names_.end(), random_);
        // Where the time is over within the first round, what a bar needs has been measured.
        if (done_ == 0)
            std::stable_partition(names_.begin(), names_.end(), [&](const std::string& name) {
                return std::find(needed_.begin(), needed_.end(), name) != needed_.end();
            });
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (over()) {
                if (done_ == 0) unmeasured_.assign(names_.begin() + static_cast<std::ptrdiff_t>(i), names_.end());
                break;
            }
            show(i, names_[i]);
            measure(names_[i], result);
            between();
        }
        worker_.stop();
        if (done_ == 0) plan();
    }
    std::fprintf(stderr, spoken("%s%d rounds in %.0f s\n"), on_terminal() ? "\r\033[K" : "", done_, elapsed());
}

}  // namespace fiberscope::testing
