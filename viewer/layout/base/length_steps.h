// The number of members over time, of one set or of several together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fiberscope::viewer {

/// The length after each event that changed it. 8 bytes per change.
class LengthSteps {
  public:
    struct Bounds {
        std::uint32_t least = 0, most = 0;
    };

    /// Event n, which must be later than all previous ones, adds or removes a member.
    void add(std::size_t n, bool comes);
    /// Number of members after event n.
    std::uint32_t at(std::size_t n) const noexcept;
    /// The minimum and maximum in the events [first, last).
    Bounds within(std::size_t first, std::size_t last) const noexcept;
    std::uint32_t most() const noexcept { return most_; }

  private:
    struct Step {
        std::uint32_t event, length;
    };
    std::size_t steps_until(std::size_t n) const noexcept;
    std::vector<Step> steps_;
    std::vector<Bounds> blocks_;  // of kLengthBlock steps each
    std::uint32_t most_ = 0;
};

}  // namespace fiberscope::viewer
