// Given: when a machine helps others.
#pragma once

#include <cstdint>

namespace fiberscope::lab04 {

/// Whether it is worth it that this machine takes tasks which another one could run: only if they run long enough. It
/// looks at the clock for one turn of sixteen, and of each turn right after a pause, because a machine that helps where
/// it is not worth it should learn so soon. Under the virtual clock it is always worth it.
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
    /// It comes back from a pause.
    void try_again() noexcept {
        distance_ = 1;
        until_sample_ = kSettling;
        samples_ = long_ones_ = 0;
    }
    bool worth() const noexcept { return not_before_ == 0 || pause_is_over(); }
    /// ns: when it may help again; 0: now.
    std::uint64_t not_before() const noexcept { return not_before_; }

  private:
    static constexpr unsigned kDistance = 16;  ///< of so many turns one is timed
    static constexpr unsigned kSamples = 8;    ///< so many are judged
    static constexpr unsigned kSettling = 4;   ///< the first turns after a pause wait for memory

    void begin_sample() noexcept;
    void end_sample() noexcept;
    bool pause_is_over() const noexcept;

    unsigned until_sample_ = kDistance;
    unsigned distance_ = kDistance;
    unsigned samples_ = 0;
    unsigned long_ones_ = 0;
    std::uint64_t since_ = 0;  ///< ns
    std::uint64_t pause_ = 0;  ///< ns: how long it keeps away; twice as long each time that it was not worth it
    std::uint64_t not_before_ = 0;
};

}  // namespace fiberscope::lab04
