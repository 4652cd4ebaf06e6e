#include "traces/replay/figures.h"

#include <algorithm>
#include <utility>

#include "traces/replay/answers.h"
#include "traces/replay/idle.h"
#include "traces/replay/ready.h"

namespace fiberscope::trace {
namespace {

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

/// Figures that are counted directly from the events.
class Count {
  public:
    explicit Count(const Trace& trace) : tasks(tasks_of(trace)), asleep_until_(trace.coroutines(), kAbsent) {
        for (std::size_t i = 0; i < trace.size(); ++i) look(trace[i]);
    }

    void put(Figures& figures) const {
        figures.makespan = last;
        figures.switches = switches;
        figures.overshoot = spread_of(overshoots);
        figures.steals = steals;
        figures.moved = stolen;
        figures.polls = polls;
        figures.calls = calls + polls;
        figures.parks = parks;
        figures.unparks = unparks;
        figures.copied = copied;
    }

    std::uint64_t switches = 0, steals = 0, stolen = 0, last = 0, polls = 0, calls = 0, parks = 0, unparks = 0,
                  copied = 0;
    std::vector<std::uint64_t> overshoots;
    std::vector<bool> tasks;  ///< by coroutine

  private:
    void look(const Event& e) {
        last = std::max(last, e.t);
        if (e.kind == Kind::switch_) switched(e);
        if (e.kind == Kind::machine) moved(e);
        if (e.kind == Kind::io && e.first<IoPhase>() == IoPhase::call) ++calls;
        if (e.kind == Kind::poll && e.first<PollPhase>() != PollPhase::leave) ++polls;
        if (e.kind == Kind::copy && e.x > 0) copied += static_cast<std::uint64_t>(e.x);
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
        if (op == MachineOp::steal) ++steals;
        if (op == MachineOp::steal && e.x > 0) stolen += static_cast<std::uint64_t>(e.x);
        if (op == MachineOp::park) ++parks;
        if (op == MachineOp::unpark) ++unparks;
    }

    std::vector<std::int64_t> asleep_until_;
};

double share_of(const IdleTime& idle, std::initializer_list<Idle> kinds, double whole) {
    double sum = 0;
    for (const Idle kind : kinds) sum += static_cast<double>(idle.total(kind));
    return whole > 0 ? sum / whole : 0;
}

}  // namespace

Spread spread_of(std::vector<std::uint64_t> all) {
    if (all.empty()) return {};
    std::sort(all.begin(), all.end());
    const auto at = [&](std::size_t percent) { return all[(all.size() * percent + 99) / 100 - 1]; };
    return {at(50), at(99), all.back(), all.size()};
}

Figures figures_of(const Replay& replay) {
    const Count count(replay.trace());
    Figures figures;
    count.put(figures);
    Fairness fairness;
    bool told = false;  // whether the library records when a task becomes ready
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        if (!count.tasks[co]) continue;
        double ran = 0, ready = 0;
        for (const Replay::Stretch& s : replay.stretches(co)) {
            told = told || s.state == State::ready;
            if (s.state == State::running) ran += static_cast<double>(s.to - s.from);
            const std::uint64_t from = could_run_from(replay.trace(), s);
            if (from != kNever) ready += static_cast<double>(s.to - from);
        }
        if (ran + ready > 0) fairness.add(ran / (ran + ready));
    }
    figures.fairness = fairness.index();
    const auto whole = static_cast<double>(count.last) * replay.trace().machines();
    const IdleTime idle(replay.trace());
    figures.idle = share_of(idle, {Idle::polls, Idle::parked}, whole);
    figures.spinning = share_of(idle, {Idle::spins}, whole);
    figures.locked = share_of(idle, {Idle::locked}, whole);
    std::vector<std::uint64_t> answers;
    for (const ClientAnswers& client : answers_of(replay.trace()))
        answers.insert(answers.end(), client.took.begin(), client.took.end());
    figures.answer = spread_of(std::move(answers));
    if (told) figures.waiting = spread_of(waits_of(replay));
    const ReadyLength ready(replay);
    figures.queue = ready.mean(0, static_cast<double>(ready.end()));
    figures.queue_most = ready.most();
    return figures;
}

}  // namespace fiberscope::trace
