#include "traces/replay/ready.h"

#include <algorithm>
#include <utility>

namespace fiberscope::trace {
namespace {

using Changes = std::vector<std::pair<std::uint64_t, int>>;

/// The times at which tasks become able to run (+1), and run or stop being able to (-1), sorted.
Changes changes_of(const Replay& replay) {
    const std::vector<bool> tasks = tasks_of(replay.trace());
    Changes changes;
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        if (!tasks[co]) continue;
        for (const Stretch& s : replay.stretches(co)) {
            const std::uint64_t from = could_run_from(replay.trace(), s);
            if (from >= s.to) continue;
            changes.emplace_back(from, 1);
            changes.emplace_back(s.to, -1);
        }
    }
    std::sort(changes.begin(), changes.end());
    return changes;
}

}  // namespace

std::uint64_t could_run_from(const Trace& trace, const Stretch& stretch) noexcept {
    if (stretch.state == State::ready) return stretch.from;
    if (stretch.state != State::sleeping && stretch.state != State::waiting) return kNever;
    const Event e = trace[stretch.event];
    if (e.kind != Kind::switch_ || e.x == kAbsent || e.x < 0) return kNever;
    const auto until = static_cast<std::uint64_t>(e.x);
    return stretch.to > until ? std::max(stretch.from, until) : kNever;
}

std::vector<bool> tasks_of(const Trace& trace) {
    std::vector<bool> tasks(trace.coroutines(), false);
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace.kind(n) == Kind::spawn) tasks[trace[n].co] = trace[n].first<CoKind>() == CoKind::task;
    return tasks;
}

std::vector<std::uint64_t> waits_of(const Replay& replay) {
    const std::vector<bool> tasks = tasks_of(replay.trace());
    std::vector<std::uint64_t> waits;
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        if (!tasks[co]) continue;
        std::uint64_t since = kNever;
        for (const Stretch& s : replay.stretches(co)) {
            if (s.state == State::running && since != kNever) waits.push_back(s.from - since);
            const std::uint64_t from = could_run_from(replay.trace(), s);
            since = from == kNever ? kNever : std::min(since, from);
        }
    }
    return waits;
}

ReadyLength::ReadyLength(const Replay& replay) {
    const Trace& trace = replay.trace();
    for (std::size_t n = 0; n < trace.size(); ++n) end_ = std::max(end_, trace.time(n));
    const Changes changes = changes_of(replay);
    std::int64_t length = 0;
    double sum = 0;
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const std::uint64_t t = changes[i].first;
        sum += static_cast<double>(length) * static_cast<double>(t - last);
        for (; i < changes.size() && changes[i].first == t; ++i) length += changes[i].second;
        steps_.push_back({t, static_cast<std::uint32_t>(length), sum});
        most_ = std::max(most_, steps_.back().length);
        last = t;
    }
}

double ReadyLength::sum_until(double t) const noexcept {
    auto step = std::upper_bound(steps_.begin(), steps_.end(), t,
                                 [](double at, const Step& one) { return at < static_cast<double>(one.t); });
    if (step == steps_.begin()) return 0;
    --step;
    return step->before + step->length * (t - static_cast<double>(step->t));
}

double ReadyLength::mean(double from, double to) const noexcept {
    return to > from ? (sum_until(to) - sum_until(from)) / (to - from) : 0;
}

std::vector<double> ReadyLength::means(std::size_t parts) const {
    std::vector<double> all(parts);
    const double width = static_cast<double>(end_) / static_cast<double>(parts);
    for (std::size_t i = 0; i < parts; ++i)
        all[i] = mean(width * static_cast<double>(i), width * static_cast<double>(i + 1));
    return all;
}

}  // namespace fiberscope::trace
