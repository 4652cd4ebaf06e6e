#include "viewer/layout/base/lane_times.h"

#include <algorithm>
#include <numeric>

#include "traces/replay/ready.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kPiecesInBlock = 64;

}  // namespace

double LaneTimes::sum() const noexcept { return std::accumulate(ns.begin(), ns.end(), 0.0); }

LaneTimes operator-(LaneTimes a, const LaneTimes& b) noexcept {
    for (std::size_t i = 0; i < a.ns.size(); ++i) a.ns[i] -= b.ns[i];
    a.scheduler -= b.scheduler;
    return a;
}

LaneClock::LaneClock(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m)
    : replay_(&replay), index_(&index), m_(m) {}

LaneClock LaneClock::of_coroutine(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co) {
    LaneClock clock(replay, index, trace::kNone);
    clock.stretches_ = replay.stretches(co);
    auto& kept = index.lane_times().coroutines;
    kept.resize(index.coroutines());
    clock.kept_ = &kept[co];
    return clock;
}

LaneClock LaneClock::of_machine(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m) {
    LaneClock clock(replay, index, m);
    clock.machine_ = true;
    clock.runs_ = index.runs(m);
    LaneTimesKept& kept = index.lane_times();
    if (kept.tasks.empty()) kept.tasks = trace::tasks_of(replay.trace());
    kept.machines.resize(index.machines());
    clock.kept_ = &kept.machines[m];
    return clock;
}

double LaneClock::from(std::size_t i) const noexcept {
    return static_cast<double>(machine_ ? replay_->trace().time(runs_[i]) : stretches_.from(i));
}

void LaneClock::add_running(std::uint32_t m, double from, double to, bool task, LaneTimes& times) const {
    double worked = to - from;
    const auto idle = index_->idle().shares(m, from, to);
    for (std::size_t i = 0; i < idle.size(); ++i) {
        times.ns[LaneTimes::kStates + i] += idle[i];
        worked -= idle[i];
    }
    times.ns[LaneTimes::of(trace::State::running)] += worked;
    if (!task) times.scheduler += worked;
}

void LaneClock::add(std::size_t i, double end, LaneTimes& times) const {
    if (machine_) {
        const double last =
            i + 1 < runs_.size() ? from(i + 1) : std::max(from(i), static_cast<double>(index_->duration()));
        const std::uint32_t co = runs_after(replay_->trace()[runs_[i]]);
        const std::vector<bool>& tasks = index_->lane_times().tasks;
        return add_running(m_, from(i), std::min(last, end), co < tasks.size() && tasks[co], times);
    }
    const trace::Stretch stretch = stretches_[i];
    const double begin = static_cast<double>(stretch.from), last = std::min(end, static_cast<double>(stretch.to));
    if (stretch.state == trace::State::running)
        add_running(stretch.machine, begin, last, true, times);
    else
        times.ns[LaneTimes::of(stretch.state)] += last - begin;
}

void LaneClock::keep() {
    LaneTimes sum;
    kept_->reserve(size() / kPiecesInBlock + 1);
    for (std::size_t i = 0; i < size(); ++i) {
        if (i % kPiecesInBlock == 0) kept_->push_back(sum);
        add(i, 1e300, sum);
    }
}

LaneTimes LaneClock::until(double t) {
    if (t == last_) return times_;
    if (kept_->empty()) keep();
    std::size_t low = t > last_ ? begun_ : 0, step = 1, high = size();
    for (; low + step <= high; step *= 2) {
        if (from(low + step - 1) >= t) {
            high = low + step - 1;
            break;
        }
        low += step;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (from(middle) < t)
            low = middle + 1;
        else
            high = middle;
    }
    begun_ = low;
    last_ = t;
    times_ = {};
    if (low == 0) return times_;
    const std::size_t block = (low - 1) / kPiecesInBlock;
    times_ = (*kept_)[block];
    for (std::size_t i = block * kPiecesInBlock; i < low; ++i) add(i, t, times_);
    return times_;
}

LaneTimes LaneClock::within(double from, double to) {
    const LaneTimes before = until(from);
    return until(to) - before;
}

}  // namespace fiberscope::viewer
