// Runs Google Benchmark's benchmarks in rounds within a time limit, and shows how far it is.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "testing/measure/worker.h"

namespace fiberscope::testing {

/// How much is measured.
struct RoundOptions {
    std::optional<int> rounds;  ///< exactly so many, however long they take; else as many as fit, at most 9
    double seconds = 200;       ///< without `rounds`: no measurement begins later than so many seconds after the first
};

/// Each round is a process of its own and measures every benchmark once, in random order, so that what changes on the
/// computer meanwhile touches all of them alike; in the first round those that a bar or a ratio needs come first. If
/// three rounds of everything do not fit into the time, the later rounds measure only those that a bar or a ratio
/// needs. Shows on stderr which round it is, how far it is, and how much time is left.
class BenchRounds {
  public:
    /// `names`: as Google Benchmark lists them. `needed`: says of such a name whether a bar or a ratio needs it.
    BenchRounds(std::vector<std::string> names, const std::function<bool(const std::string&)>& needed,
                RoundOptions options);

    /// Runs them. `next_round` is called at the beginning of each round, `between` after each measurement.
    void run(const std::function<void(const Measurement&)>& result, const std::function<void()>& next_round,
             const std::function<void()>& between);

    /// Names that no round has measured, because the time was over.
    const std::vector<std::string>& unmeasured() const noexcept { return unmeasured_; }

  private:
    using Clock = std::chrono::steady_clock;

    double elapsed() const;
    double cost_of(const std::vector<std::string>& names) const;
    void measure(const std::string& name, const std::function<void(const Measurement&)>& result);
    void plan();
    double time_left(std::size_t after) const;
    void show(std::size_t index, const std::string& name);

    std::vector<std::string> names_;  ///< of this round
    std::vector<std::string> needed_;
    RoundOptions options_;
    int planned_;
    int done_ = 0;
    std::map<std::string, double> costs_;  ///< seconds that the last measurement of each took
    std::vector<std::string> unmeasured_;
    std::mt19937 random_{1};
    BenchWorker worker_;
    Clock::time_point began_;
    Clock::time_point shown_;
};

/// The names of the benchmarks that --benchmark_filter lets through.
std::vector<std::string> benchmark_names();

/// The regular expression that matches exactly this name.
std::string exactly(const std::string& name);

}  // namespace fiberscope::testing
