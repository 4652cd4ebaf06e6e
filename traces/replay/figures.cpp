#include "traces/replay/figures.h"

#include <algorithm>

namespace fiberscope::trace {
namespace {

Spread spread_of(std::vector<std::uint64_t> all) {
    if (all.empty()) return {};
    std::sort(all.begin(), all.end());
    const auto at = [&](std::size_t percent) { return all[(all.size() - 1) * percent / 100]; };
    return {at(50), at(99), all.back()};
}

/// Jain's index: (sum x)^2 / (n * sum x^2).
class Fairness {
  public:
    void add(double x) {
        sum_ += x;
        squares_ += x * x;
        ++n_;
    }
    double index() const { return squares_ > 0 ? sum_ * sum_ / (n_ * squares_) : 1; }

  private:
    double sum_ = 0, squares_ = 0, n_ = 0;
};

/// What the events alone tell.
class Count {
  public:
    explicit Count(const Trace& trace)
        : tasks(trace.coroutines(), false), asleep_until_(trace.coroutines(), kAbsent), machines_(trace.machines()) {
        for (std::size_t i = 0; i < trace.size(); ++i) look(trace[i]);
    }

    std::uint64_t switches = 0, steals = 0, idle = 0, last = 0;
    std::vector<std::uint64_t> overshoots;
    std::vector<bool> tasks;  ///< by coroutine

  private:
    void look(const Event& e) {
        last = std::max(last, e.t);
        if (e.kind == Kind::spawn) tasks[e.co] = e.first<CoKind>() == CoKind::task;
        if (e.kind == Kind::switch_) switched(e);
        if (e.kind == Kind::machine) moved(e);
        if (e.kind == Kind::poll && e.first<PollPhase>() <= PollPhase::leave)
            rest(e, &Machine::polls, e.first<PollPhase>() == PollPhase::enter);
    }
    void switched(const Event& e) {
        ++switches;
        asleep_until_[e.co] = e.second<State>() == State::sleeping ? e.x : kAbsent;
        std::int64_t& until = asleep_until_[e.other];
        const auto now = static_cast<std::int64_t>(e.t);
        if (until != kAbsent && now >= until) overshoots.push_back(static_cast<std::uint64_t>(now - until));
        until = kAbsent;
    }
    void moved(const Event& e) {
        const auto op = e.first<MachineOp>();
        if (op == MachineOp::steal)
            ++steals;
        else
            rest(e, &Machine::parks, op == MachineOp::park);
    }
    /// A machine is idle while it polls or parks; who parks may do so in a poll.
    struct Machine {
        bool polls = false, parks = false;
        std::uint64_t since = 0;
        bool idle() const noexcept { return polls || parks; }
    };
    void rest(const Event& e, bool Machine::*how, bool begins) {
        Machine& machine = machines_[e.m];
        const bool before = machine.idle();
        machine.*how = begins;
        if (before && !machine.idle()) idle += e.t - machine.since;
        if (!before && machine.idle()) machine.since = e.t;
    }

    std::vector<std::int64_t> asleep_until_;
    std::vector<Machine> machines_;
};

}  // namespace

Figures figures_of(const Replay& replay) {
    const Count count(replay.trace());
    std::vector<std::uint64_t> waits;
    Fairness fairness;
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        if (!count.tasks[co]) continue;
        double ran = 0, ready = 0;
        for (const Replay::Stretch& s : replay.stretches(co)) {
            if (s.state == State::running) ran += static_cast<double>(s.to - s.from);
            if (s.state != State::ready) continue;
            ready += static_cast<double>(s.to - s.from);
            waits.push_back(s.to - s.from);
        }
        if (ran + ready > 0) fairness.add(ran / (ran + ready));
    }
    Figures figures;
    figures.makespan = count.last;
    figures.ready = spread_of(std::move(waits));
    figures.switches = count.switches;
    const auto whole = static_cast<double>(count.last) * replay.trace().machines();
    figures.idle = whole > 0 ? static_cast<double>(count.idle) / whole : 0;
    figures.fairness = fairness.index();
    figures.overshoot = spread_of(count.overshoots);
    figures.steals = count.steals;
    return figures;
}

}  // namespace fiberscope::trace
