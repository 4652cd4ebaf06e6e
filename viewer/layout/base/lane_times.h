// Time that a lane spends in each state between any two times: exact, and fast even for a lane of a million stretches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/replay/replay.h"
#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

class TraceIndex;

/// Nanoseconds by state.
struct LaneTimes {
    static constexpr std::size_t kStates = trace::kWords<trace::State>.size(), kKinds = kStates + kIdleOrder.size();
    std::array<double, kKinds> ns{};  ///< the states, then the kinds of idleness
    double scheduler = 0;             ///< of a machine: the part of `running` without a task

    static constexpr std::size_t of(trace::State state) noexcept { return static_cast<std::size_t>(state); }
    /// `idle` must not be Idle::none.
    static constexpr std::size_t of(trace::Idle idle) noexcept {
        return kStates + static_cast<std::size_t>(idle) - static_cast<std::size_t>(trace::Idle::polls);
    }
    double operator[](trace::State state) const noexcept { return ns[of(state)]; }
    double operator[](trace::Idle idle) const noexcept { return ns[of(idle)]; }
    /// Less than the whole span if the coroutine or machine did not exist throughout.
    double sum() const noexcept;
    friend LaneTimes operator-(LaneTimes a, const LaneTimes& b) noexcept;
};

/// Cached prefix sums at regular intervals, 2 bytes per stretch. Computed at the first query of a lane, hence not
/// thread-safe.
struct LaneTimesKept {
    std::vector<std::vector<LaneTimes>> coroutines, machines;
    std::vector<bool> tasks;  ///< by coroutine: whether it is a task
};

/// Queries the times of one lane; fast for ascending times.
class LaneClock {
  public:
    static LaneClock of_coroutine(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co);
    static LaneClock of_machine(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m);

    /// The time at which the coroutine or machine first exists, ns; it exists until the end of the trace.
    double begin() const noexcept { return size() == 0 ? 0 : from(0); }
    /// Times between `from` and `to`, ns.
    LaneTimes within(double from, double to);

  private:
    LaneClock(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m);
    std::size_t size() const noexcept { return machine_ ? runs_.size() : stretches_.size(); }
    double from(std::size_t i) const noexcept;
    /// Adds the time of stretch i, cut at `end`.
    void add(std::size_t i, double end, LaneTimes& times) const;
    void add_running(std::uint32_t m, double from, double to, bool task, LaneTimes& times) const;
    void keep();
    LaneTimes until(double t);

    const trace::Replay* replay_;
    const TraceIndex* index_;
    std::vector<LaneTimes>* kept_ = nullptr;
    trace::Stretches stretches_;           // of a coroutine
    std::span<const std::uint32_t> runs_;  // of a machine: events after which another coroutine runs
    std::uint32_t m_ = trace::kNone;
    bool machine_ = false;
    std::size_t begun_ = 0;  // stretches that began before last_
    double last_ = -1;
    LaneTimes times_;  // up to last_
};

}  // namespace fiberscope::viewer
