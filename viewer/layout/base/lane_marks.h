// Momentary events, by the lane on which they are shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "traces/read/trace.h"

namespace fiberscope::viewer {

/// Kinds of marks on a lane, in ascending order of importance: where several coincide, the most important is shown. A
/// hazard is the use of an address that another coroutine's bytes occupy.
enum class MarkKind : std::uint8_t { note, copy_in, copy_out, access, lock_wait, fault, hazard };
inline constexpr std::size_t kMarkKinds = 7;

/// The kind of event n, which must be a mark.
MarkKind mark_kind(const trace::Trace& trace, std::uint32_t n) noexcept;

/// The marks of each lane; those in a time range can be found and counted without visiting each. 5 bytes per mark.
class LaneMarks {
  public:
    LaneMarks() = default;
    /// `events`: all marks, ascending.
    LaneMarks(const trace::Trace& trace, std::span<const std::uint32_t> events);

    /// Event numbers, ascending. Marks without a coroutine belong to their machine.
    std::span<const std::uint32_t> of_coroutine(std::uint32_t co) const noexcept { return of_lane(co); }
    std::span<const std::uint32_t> of_machine(std::uint32_t m) const noexcept { return of_lane(coroutines_ + m); }
    /// The marks on the lane of `event`.
    std::span<const std::uint32_t> beside(const trace::Event& event) const noexcept { return of_lane(lane_of(event)); }
    /// The most important kind in `part`, a nonempty part of one of these spans.
    MarkKind worst(std::span<const std::uint32_t> part) const noexcept;

  private:
    std::size_t lane_of(const trace::Event& event) const noexcept;
    std::span<const std::uint32_t> of_lane(std::size_t lane) const noexcept;

    std::uint32_t coroutines_ = 0;
    std::vector<std::uint32_t> begins_;  // by lane, coroutines before machines: first index into events_
    std::vector<std::uint32_t> events_;
    std::vector<MarkKind> kinds_;  // parallel to events_
};

}  // namespace fiberscope::viewer
