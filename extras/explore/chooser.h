// Selection of the machine that continues at a choice point: at random, by PCT's priorities, by a prefix of a
// depth-first search, or by a schedule.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "extras/explore/journal.h"

namespace fiberscope::explore {

class Chooser {
  public:
    virtual ~Chooser() = default;
    /// Returns the index of one of the step's options. `at`: number of previous steps.
    virtual unsigned choose(const Step& step, std::size_t at) = 0;
};

/// All options are equally likely; a store is delayed with probability 1/8.
class RandomChooser : public Chooser {
  public:
    explicit RandomChooser(std::uint64_t seed) : random_(seed) {}
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    std::mt19937_64 random_;
};

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): each machine has a random priority, and the
/// runnable machine with the highest one continues; at depth - 1 random steps the running machine gets the lowest
/// priority. For n machines and k steps, a run finds a fault that needs `depth` orderings with a probability of at
/// least 1 / (n * k^(depth - 1)).
class PctChooser : public Chooser {
  public:
    /// `steps`: expected length of a run.
    PctChooser(std::uint64_t seed, unsigned depth, std::size_t steps);
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    std::int64_t priority_of(unsigned machine);

    std::mt19937_64 random_;
    std::map<unsigned, std::int64_t> priorities_;
    std::vector<std::size_t> falls_;
    std::int64_t lowest_ = 0;
};

/// The first choices are given by their indices; afterwards the default is taken.
class PrefixChooser : public Chooser {
  public:
    explicit PrefixChooser(std::vector<std::uint8_t> prefix) : prefix_(std::move(prefix)) {}
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    std::vector<std::uint8_t> prefix_;
};

/// Follows a schedule. A deviation that is not possible at its step is skipped and counted.
class ReplayChooser : public Chooser {
  public:
    explicit ReplayChooser(Schedule schedule) : schedule_(std::move(schedule)) {}
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    Schedule schedule_;
    std::size_t next_ = 0;
};

/// After a run by a prefix: returns the prefix of the next run of a depth-first search through all schedules with at
/// most `bound` preemptions; none if that was the last one. The run itself is the only state of the search.
std::optional<std::vector<std::uint8_t>> next_prefix(std::span<const Step> run, unsigned bound);

}  // namespace fiberscope::explore
