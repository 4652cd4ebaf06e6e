#include "traces/replay/idle.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace fiberscope::trace {
namespace {

std::size_t place_of(Idle kind) noexcept { return static_cast<std::size_t>(kind) - 1; }

/// Follows one machine through the events and collects its idle spans.
class Watch {
  public:
    explicit Watch(std::vector<IdleSpan>& spans) : spans_(spans) {}

    void poll(const Event& e, std::uint32_t n) {
        const auto phase = e.first<PollPhase>();
        if (phase > PollPhase::leave) return;
        const bool enters = phase == PollPhase::enter;
        if (enters) waits_ = e.x != 0;
        if (waits_)
            rest(polls_, enters, e.t, n);
        else if (!enters && (e.other == 0 || e.other == kNone))
            look(empty_polls_, e.t, n);
        else if (!enters)
            stop_looking(e.t, n);
    }
    void machine(const Event& e, std::uint32_t n) {
        const auto op = e.first<MachineOp>();
        if (op == MachineOp::stop) stop_looking(e.t, n);
        if (op == MachineOp::park) rest(parks_, true, e.t, n);
        if (op == MachineOp::unpark || op == MachineOp::stop) rest(parks_, false, e.t, n);
        if (op == MachineOp::call || op == MachineOp::return_) rest(calls_, op == MachineOp::call, e.t, n);
        if (op == MachineOp::wait || op == MachineOp::take) rest(locks_, op == MachineOp::wait, e.t, n);
    }
    /// A coroutine of kind `to` is entered.
    void enters(CoKind to, std::uint64_t t, std::uint32_t n) {
        if (to == CoKind::idle) look(idle_entries_, t, n);
        if (to == CoKind::task) stop_looking(t, n);
    }
    void finish(std::uint64_t t, std::uint32_t n) {
        if (kind() != Idle::none) close(kind(), t, n);
        stop_looking(t, n);
    }

  private:
    Idle kind() const noexcept {
        return polls_   ? Idle::polls
               : parks_ ? Idle::parked
               : calls_ ? Idle::blocked
               : locks_ ? Idle::locked
                        : Idle::none;
    }

    void rest(bool& flag, bool value, std::uint64_t t, std::uint32_t n) {
        const Idle before = kind();
        if (before == Idle::none) stop_looking(t, n);
        flag = value;
        if (kind() == before) return;
        if (before != Idle::none) close(before, t, n);
        from_ = t;
        begin_ = n;
    }
    void close(Idle kind, std::uint64_t t, std::uint32_t n) { add({from_, t, begin_, n, kind, {}}); }
    void add(IdleSpan span) {
        if (span.to <= span.from) return;
        if (!spans_.empty()) {
            span.before = spans_.back().before;
            span.before[place_of(spans_.back().kind)] += spans_.back().to - spans_.back().from;
        }
        spans_.push_back(span);
    }

    /// A round in which the machine looks for a task.
    void look(std::uint32_t& rounds, std::uint64_t t, std::uint32_t n) {
        if (idle_entries_ == 0 && empty_polls_ == 0) {
            looks_from_ = t;
            looks_begin_ = n;
        }
        ++rounds;
    }
    void stop_looking(std::uint64_t t, std::uint32_t n) {
        if (idle_entries_ >= 2 || empty_polls_ >= 2) add({looks_from_, t, looks_begin_, n, Idle::spins, {}});
        idle_entries_ = empty_polls_ = 0;
    }

    std::vector<IdleSpan>& spans_;
    bool polls_ = false, parks_ = false, calls_ = false, locks_ = false, waits_ = false;
    std::uint64_t from_ = 0, looks_from_ = 0;
    std::uint32_t begin_ = 0, looks_begin_ = 0, idle_entries_ = 0, empty_polls_ = 0;
};

}  // namespace

IdleTime::IdleTime(const Trace& trace) : spans_(trace.machines()) {
    Slices slices;
    add_to(slices, 1, trace);
    slices.finish();
}

IdleTime::IdleTime(const Trace& trace, Slices& slices, double share) : spans_(trace.machines()) {
    add_to(slices, share, trace);
}

void IdleTime::add_to(Slices& slices, double share, const Trace& trace) {
    const auto watches = std::make_shared<std::vector<Watch>>(spans_.begin(), spans_.end());
    const auto kinds = std::make_shared<std::vector<CoKind>>(trace.coroutines(), CoKind::task);
    slices.add_pass(
        share, [&trace] { return trace.size(); },
        [watches, kinds, &trace](std::size_t i) {
            const Event e = trace[i];
            const auto n = static_cast<std::uint32_t>(i);
            if (e.kind == Kind::spawn) (*kinds)[e.co] = e.first<CoKind>();
            if (e.kind == Kind::poll) (*watches)[e.m].poll(e, n);
            if (e.kind == Kind::machine) (*watches)[e.m].machine(e, n);
            if (e.kind == Kind::switch_) (*watches)[e.m].enters((*kinds)[e.other], e.t, n);
        });
    slices.add_once([watches, &trace] {
        const std::uint64_t end = trace.size() == 0 ? 0 : trace.time(trace.size() - 1);
        for (Watch& watch : *watches) watch.finish(end, static_cast<std::uint32_t>(trace.size()));
    });
}

const IdleSpan* IdleTime::at(std::uint32_t m, std::size_t playhead) const noexcept {
    if (m >= spans_.size()) return nullptr;
    const auto& spans = spans_[m];
    const auto after =
        std::partition_point(spans.begin(), spans.end(), [&](const IdleSpan& span) { return span.begin < playhead; });
    if (after == spans.begin()) return nullptr;
    const IdleSpan& span = *(after - 1);
    return playhead <= span.end ? &span : nullptr;
}

std::span<const IdleSpan> IdleTime::within(std::uint32_t m, double from, double to) const noexcept {
    if (m >= spans_.size()) return {};
    const std::span<const IdleSpan> spans = spans_[m];
    const auto first = std::partition_point(spans.begin(), spans.end(),
                                            [&](const IdleSpan& span) { return static_cast<double>(span.to) <= from; });
    const auto last = std::partition_point(first, spans.end(),
                                           [&](const IdleSpan& span) { return static_cast<double>(span.from) < to; });
    return spans.subspan(static_cast<std::size_t>(first - spans.begin()), static_cast<std::size_t>(last - first));
}

std::array<double, kIdleKinds> IdleTime::shares(std::uint32_t m, double from, double to) const noexcept {
    std::array<double, kIdleKinds> all{};
    const auto spans = within(m, from, to);
    if (spans.empty()) return all;
    const IdleSpan &first = spans.front(), &last = spans.back();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(last.before[i] - first.before[i]);
    all[place_of(last.kind)] += static_cast<double>(last.to - last.from);
    all[place_of(first.kind)] -= std::max(0.0, from - static_cast<double>(first.from));
    all[place_of(last.kind)] -= std::max(0.0, static_cast<double>(last.to) - to);
    return all;
}

double IdleTime::share(std::uint32_t m, double from, double to) const noexcept {
    const auto all = shares(m, from, to);
    return std::max(0.0, std::accumulate(all.begin(), all.end(), 0.0));
}

std::uint64_t IdleTime::total(Idle kind) const noexcept {
    std::uint64_t sum = 0;
    for (const auto& spans : spans_)
        for (const IdleSpan& span : spans)
            if (span.kind == kind) sum += span.to - span.from;
    return sum;
}

}  // namespace fiberscope::trace
