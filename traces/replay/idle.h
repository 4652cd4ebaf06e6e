// When machines do no task's work: they wait in the poller, are parked, look for work again and again, stand in a call
// that blocks them, or wait for a lock.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/read/slices.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// `polls`: it waits in the poller (a poll that does not wait is none). `parked`: it sleeps until another machine wakes
/// it. `spins`: it goes round and round, twice at least, and finds no task to run; this costs a processor. `blocked`:
/// its task is in a call that blocks the thread. `locked`: another machine holds a lock that it wants.
enum class Idle : std::uint8_t { none, polls, parked, spins, blocked, locked };
inline constexpr std::size_t kIdleKinds = 5;  ///< without none

/// A span of time in which a machine is idle in one way.
struct IdleSpan {
    std::uint64_t from = 0, to = 0;    ///< ns; from < to
    std::uint32_t begin = 0, end = 0;  ///< the events that began and ended it; Trace::size() if nothing ended it
    Idle kind = Idle::polls;
    std::array<std::uint64_t, kIdleKinds> before{};  ///< ns that the machine was idle before it, by kind
};

class IdleTime {
  public:
    /// Goes through the trace once.
    explicit IdleTime(const Trace& trace);
    /// `slices` do that later, as `share` of their work; until then it must not be moved.
    IdleTime(const Trace& trace, Slices& slices, double share);

    /// The spans of machine m, in order of time; they do not overlap.
    std::span<const IdleSpan> of(std::uint32_t m) const noexcept { return spans_[m]; }
    /// The span in which machine m is after `playhead` events; null if it is not idle.
    const IdleSpan* at(std::uint32_t m, std::size_t playhead) const noexcept;
    /// Those of machine m that meet [from, to].
    std::span<const IdleSpan> within(std::uint32_t m, double from, double to) const noexcept;
    /// How many ns of [from, to] machine m was idle.
    double share(std::uint32_t m, double from, double to) const noexcept;
    /// The same by the way to be idle, in the order of Idle.
    std::array<double, kIdleKinds> shares(std::uint32_t m, double from, double to) const noexcept;
    /// The sum over all machines of what they were idle in that way, ns.
    std::uint64_t total(Idle kind) const noexcept;
    /// Whether any machine is ever idle in that way.
    bool has(Idle kind) const noexcept { return total(kind) > 0; }

  private:
    void add_to(Slices& slices, double share, const Trace& trace);

    std::vector<std::vector<IdleSpan>> spans_;
};

}  // namespace fiberscope::trace
