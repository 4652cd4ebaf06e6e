// Given: limits stealing to when it is worthwhile.
#pragma once

#include <cstdint>

namespace fiberscope::lab04 {

/// Decides whether this machine should take tasks that another one could run: only if they run long enough. Times one
/// turn in sixteen, and every turn right after a pause, to notice quickly when helping is not worthwhile. With the
/// virtual clock it always is.
class StealThrottle {
  public:
    void begin_turn() noexcept {
        if (--until_sample_ == 0) [[unlikely]]
            begin_sample();
    }
    void end_turn() noexcept {
        if (until_sample_ == 0) [[unlikely]]
            end_sample();
    }
    /// Ends a pause.
    void try_again() noexcept {
        distance_ = 1;
        until_sample_ = kSettling;
        samples_ = long_ones_ = 0;
    }
    bool worth() const noexcept { return not_before_ == 0 || pause_is_over(); }
    /// ns: end of the pause; 0: none.
    std::uint64_t not_before() const noexcept { return not_before_; }

  private:
    static constexpr unsigned kDistance = 16;  ///< one turn in this many is timed
    static constexpr unsigned kSamples = 8;    ///< number of timed turns per decision
    static constexpr unsigned kSettling = 4;   ///< the first turns after a pause are slowed by cache misses

    void begin_sample() noexcept;
    void end_sample() noexcept;
    bool pause_is_over() const noexcept;

    unsigned until_sample_ = kDistance;
    unsigned distance_ = kDistance;
    unsigned samples_ = 0;
    unsigned long_ones_ = 0;
    std::uint64_t since_ = 0;  ///< ns
    std::uint64_t pause_ = 0;  ///< ns: length of the pause; doubled each time that helping was not worthwhile
    std::uint64_t not_before_ = 0;
};

}  // namespace fiberscope::lab04
