// The times in which machines do not run a task: they wait in the poller, are parked, spin looking for work, are
// blocked in a call, or wait for a lock.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/read/slices.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// `polls`: waits in the poller (a poll that returns immediately does not count). `parked`: sleeps until another
/// machine wakes it. `spins`: at least two consecutive rounds without finding a task to run, which uses a processor.
/// `blocked`: its task is in a call that blocks the thread. `locked`: waits for a lock held by another machine.
enum class Idle : std::uint8_t { none, polls, parked, spins, blocked, locked };
inline constexpr std::size_t kIdleKinds = 5;  ///< excluding `none`

/// A span of time in which a machine is idle in one way.
struct IdleSpan {
    std::uint64_t from = 0, to = 0;    ///< ns; from < to
    std::uint32_t begin = 0, end = 0;  ///< the events that began and ended it; Trace::size() if nothing ended it
    Idle kind = Idle::polls;
    std::array<std::uint64_t, kIdleKinds> before{};  ///< ns that the machine was idle before this span, by kind
};

class IdleTime {
  public:
    /// Processes the trace once.
    explicit IdleTime(const Trace& trace);
    /// Defers that to `slices`, as `share` of their work; this object must not move until then.
    IdleTime(const Trace& trace, Slices& slices, double share);

    /// The spans of machine m, in order of time, without overlaps.
    std::span<const IdleSpan> of(std::uint32_t m) const noexcept { return spans_[m]; }
    /// The span of machine m at playhead `playhead`; null if it is not idle.
    const IdleSpan* at(std::uint32_t m, std::size_t playhead) const noexcept;
    /// The spans of machine m that intersect [from, to].
    std::span<const IdleSpan> within(std::uint32_t m, double from, double to) const noexcept;
    /// The ns of [from, to] in which machine m was idle.
    double share(std::uint32_t m, double from, double to) const noexcept;
    /// The same by kind, in the order of Idle.
    std::array<double, kIdleKinds> shares(std::uint32_t m, double from, double to) const noexcept;
    /// The total over all machines for that kind, ns.
    std::uint64_t total(Idle kind) const noexcept;
    /// Whether any machine is ever idle in that way.
    bool has(Idle kind) const noexcept { return total(kind) > 0; }

  private:
    void add_to(Slices& slices, double share, const Trace& trace);

    std::vector<std::vector<IdleSpan>> spans_;
};

}  // namespace fiberscope::trace
