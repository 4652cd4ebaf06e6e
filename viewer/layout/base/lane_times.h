// For how long a lane was in which state between any two moments: exact, and quick for a lane of a million stretches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/replay/replay.h"
#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

class TraceIndex;

/// Nanoseconds by what a lane did in them.
struct LaneTimes {
    static constexpr std::size_t kStates = trace::kWords<trace::State>.size(), kKinds = kStates + kIdleOrder.size();
    std::array<double, kKinds> ns{};  ///< the states, then the ways to be idle
    double scheduler = 0;             ///< of a machine: of `running`, in which no task ran

    static constexpr std::size_t of(trace::State state) noexcept { return static_cast<std::size_t>(state); }
    /// Not of Idle::none.
    static constexpr std::size_t of(trace::Idle idle) noexcept {
        return kStates + static_cast<std::size_t>(idle) - static_cast<std::size_t>(trace::Idle::polls);
    }
    double operator[](trace::State state) const noexcept { return ns[of(state)]; }
    double operator[](trace::Idle idle) const noexcept { return ns[of(idle)]; }
    /// Less than the whole span where the coroutine or the machine was not there.
    double sum() const noexcept;
    friend LaneTimes operator-(LaneTimes a, const LaneTimes& b) noexcept;
};

/// The sums of each lane that was asked for, at every so many stretches: 2 bytes for each. Made when the lane is first
/// asked for, so not for several threads at once.
struct LaneTimesKept {
    std::vector<std::vector<LaneTimes>> coroutines, machines;
    std::vector<bool> tasks;  ///< by coroutine: whether it is a task
};

/// Reads the times of one lane; quick if the moments that it is asked for ascend.
class LaneClock {
  public:
    static LaneClock of_coroutine(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co);
    static LaneClock of_machine(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m);

    /// When the coroutine or the machine is there first, ns; it then is until the trace ends.
    double begin() const noexcept { return size() == 0 ? 0 : from(0); }
    /// From `from` to `to`, ns.
    LaneTimes within(double from, double to);

  private:
    LaneClock(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m);
    std::size_t size() const noexcept { return machine_ ? runs_.size() : stretches_.size(); }
    double from(std::size_t i) const noexcept;
    /// Adds what the lane does from the beginning of piece i to its end, or to `end` if that is earlier.
    void add(std::size_t i, double end, LaneTimes& times) const;
    void add_running(std::uint32_t m, double from, double to, bool task, LaneTimes& times) const;
    void keep();
    LaneTimes until(double t);

    const trace::Replay* replay_;
    const TraceIndex* index_;
    std::vector<LaneTimes>* kept_ = nullptr;
    trace::Stretches stretches_;           // of a coroutine
    std::span<const std::uint32_t> runs_;  // of a machine: after which events another coroutine runs
    std::uint32_t m_ = trace::kNone;
    bool machine_ = false;
    std::size_t begun_ = 0;  // pieces that began before last_
    double last_ = -1;
    LaneTimes times_;  // until last_
};

}  // namespace fiberscope::viewer
