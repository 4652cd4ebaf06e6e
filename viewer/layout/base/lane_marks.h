// What happens at one moment, by the lane on which it is shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "traces/read/trace.h"

namespace fiberscope::viewer {

/// What a mark on a lane stands for, from the least important to the most: where several fall together, the most
/// important one is the one to show. A hazard is an address that is used while another's bytes lie there.
enum class MarkKind : std::uint8_t { note, copy_in, copy_out, access, lock_wait, fault, hazard };
inline constexpr std::size_t kMarkKinds = 7;

/// The kind of event n, which is one of those.
MarkKind mark_kind(const trace::Trace& trace, std::uint32_t n) noexcept;

/// The marks of each lane, so that those between two moments are found, and counted, without looking at each. 5 bytes
/// for each mark.
class LaneMarks {
  public:
    LaneMarks() = default;
    /// `events`: the numbers of all marks, ascending.
    LaneMarks(const trace::Trace& trace, std::span<const std::uint32_t> events);

    /// Event numbers, ascending. What is of no coroutine is of its machine.
    std::span<const std::uint32_t> of_coroutine(std::uint32_t co) const noexcept { return of_lane(co); }
    std::span<const std::uint32_t> of_machine(std::uint32_t m) const noexcept { return of_lane(coroutines_ + m); }
    /// Those of the lane on which event n is shown.
    std::span<const std::uint32_t> beside(const trace::Event& event) const noexcept { return of_lane(lane_of(event)); }
    /// The most important kind in a part of one of these spans, which is not empty.
    MarkKind worst(std::span<const std::uint32_t> part) const noexcept;

  private:
    std::size_t lane_of(const trace::Event& event) const noexcept;
    std::span<const std::uint32_t> of_lane(std::size_t lane) const noexcept;

    std::uint32_t coroutines_ = 0;
    std::vector<std::uint32_t> begins_;  // by lane, the coroutines before the machines: of its events
    std::vector<std::uint32_t> events_;
    std::vector<MarkKind> kinds_;  // of events_
};

}  // namespace fiberscope::viewer
