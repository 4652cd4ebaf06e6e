// Which machine goes on at a choice point: by chance, by PCT's priorities, by a prefix of a depth-first search, or by a
// schedule.
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
    /// The index of one of the step's options. `at`: how many steps came before it.
    virtual unsigned choose(const Step& step, std::size_t at) = 0;
};

/// Each option is as likely as any other; a store is seen late once in eight times.
class RandomChooser : public Chooser {
  public:
    explicit RandomChooser(std::uint64_t seed) : random_(seed) {}
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    std::mt19937_64 random_;
};

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): each machine has a random priority, the highest
/// that can go on does, and at depth - 1 random steps the machine that runs falls below all others. Of runs of n
/// machines and k steps at least one in n * k^(depth - 1) finds a fault that needs `depth` orderings.
class PctChooser : public Chooser {
  public:
    /// `steps`: how long a run is expected to be.
    PctChooser(std::uint64_t seed, unsigned depth, std::size_t steps);
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    std::int64_t priority_of(unsigned machine);

    std::mt19937_64 random_;
    std::map<unsigned, std::int64_t> priorities_;
    std::vector<std::size_t> falls_;
    std::int64_t lowest_ = 0;
};

/// The first choices are given, by their indices; afterwards nothing is chosen.
class PrefixChooser : public Chooser {
  public:
    explicit PrefixChooser(std::vector<std::uint8_t> prefix) : prefix_(std::move(prefix)) {}
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    std::vector<std::uint8_t> prefix_;
};

/// By a schedule. A deviation that is not possible at its step is passed over, and counted.
class ReplayChooser : public Chooser {
  public:
    explicit ReplayChooser(Schedule schedule) : schedule_(std::move(schedule)) {}
    unsigned choose(const Step& step, std::size_t at) override;

  private:
    Schedule schedule_;
    std::size_t next_ = 0;
};

/// After a run by a prefix: the prefix of the next run of a depth-first search through all schedules with at most
/// `bound` preemptions; none if that was the last one. The run itself is all that the search must know.
std::optional<std::vector<std::uint8_t>> next_prefix(std::span<const Step> run, unsigned bound);

}  // namespace fiberscope::explore
