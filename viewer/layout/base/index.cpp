#include "viewer/layout/base/index.h"

#include <algorithm>
#include <array>

#include "traces/words/chosen.h"

namespace fiberscope::viewer {

using trace::Kind;
using trace::kNone;

TraceIndex::TraceIndex(const trace::Trace& trace) : TraceIndex(trace, trace::Slices()) {}

TraceIndex::TraceIndex(const trace::Trace& trace, trace::Slices&& all) : TraceIndex(trace, all, 1) { all.finish(); }

TraceIndex::TraceIndex(const trace::Trace& trace, trace::Slices& slices, double share)
    : idle_(trace, slices, share / 3),
      spawns_(trace.coroutines(), kNone),
      runs_(trace.machines()),
      tenants_(trace.shared_stacks()),
      last_stack_(trace.coroutines(), kNone),
      set_facts_(trace.sets()),
      sets_so_far_(trace.sets()) {
    add_to(slices, share * 2 / 3, trace);
}

void TraceIndex::add_to(trace::Slices& slices, double share, const trace::Trace& trace) {
    slices.add_pass(
        share, [&trace] { return trace.size(); },
        [this, &trace](std::size_t n) { take(trace, static_cast<std::uint32_t>(n)); });
    slices.add_once([this, &trace] { end(trace); });
}

void TraceIndex::end(const trace::Trace& trace) {
    if (trace.size() > 0) duration_ = trace.time(trace.size() - 1);
    for (std::size_t set = 0; set < set_facts_.size(); ++set)
        set_facts_[set].turn = turn_of(set_facts_[set].slots, std::move(sets_so_far_[set].distances));
    sets_so_far_ = {};
    lane_marks_ = LaneMarks(trace, marks_);
    marks_ = {};
    build_tree(trace);
}

void TraceIndex::take(const trace::Trace& trace, std::uint32_t n) {
    const trace::Event& event = trace[n];
    take_row(trace, n);
    if (trace::heading_of(event.kind).marked) return take_mark(trace, n);
    switch (event.kind) {
    case Kind::switch_: return take_switch(trace, event, n);
    case Kind::spawn: return take_spawn(event, n);
    case Kind::state: return use(event.second<trace::State>());
    case Kind::frame: has_registers_ = true; return;
    case Kind::choice: return choices_.push_back(n);
    case Kind::own: return add_tenant(event.set, event.co);
    case Kind::copy: return take_copy(event, n);
    case Kind::hand:
    case Kind::insert: take_place(event); [[fallthrough]];
    case Kind::set:
    case Kind::remove: return take_set(event, n);
    case Kind::machine: return take_machine(event.first<trace::MachineOp>(), n);
    case Kind::lock:
        locks_.push_back(n);
        lock_texts_.insert(event.text);
        if (event.first<trace::LockOp>() == trace::LockOp::block) marks_.push_back(n);
        return;
    default: return;
    }
}

void TraceIndex::take_machine(trace::MachineOp op, std::uint32_t n) {
    const bool gives = op == trace::MachineOp::give;
    if (gives || op == trace::MachineOp::steal) steals_.push_back(n);
    has_gives_ = has_gives_ || gives;
}

void TraceIndex::take_switch(const trace::Trace& trace, const trace::Event& event, std::uint32_t n) {
    switches_.push_back(n);
    if (trace::is_decision(trace, n)) decisions_.push_back(n);
    runs_[event.m].push_back(n);
    use(event.second<trace::State>());
    use(trace::State::running);
    has_registers_ = has_registers_ || !trace.saved(n).empty() || !trace.loaded(n).empty();
}

void TraceIndex::take_spawn(const trace::Event& event, std::uint32_t n) {
    if (event.co < spawns_.size() && spawns_[event.co] == kNone) spawns_[event.co] = n;
    const bool thread = event.first<trace::CoKind>() == trace::CoKind::thread;
    if (thread) runs_[event.m].push_back(n);
    use(thread ? trace::State::running : trace::State::new_);
}

void TraceIndex::take_mark(const trace::Trace& trace, std::uint32_t n) {
    marks_.push_back(n);
    switch (trace.kind(n)) {
    case Kind::access: (trace.access(n).hazard() ? has_hazards_ : has_accesses_) = true; return;
    case Kind::fault: has_faults_ = true; return;
    default: has_notes_ = true; return;
    }
}

void TraceIndex::take_row(const trace::Trace& trace, std::uint32_t n) {
    const trace::Event& e = trace[n];
    if (n > 0 && e.kind == Kind::link) {
        const trace::Event& before = trace[n - 1];
        if (before.kind == Kind::link && before.set == e.set && before.m == e.m) return;
    }
    rows_.push_back(n);
}

void TraceIndex::take_set(const trace::Event& event, std::uint32_t n) {
    SetFacts& set = set_facts_[event.set];
    std::uint32_t& size = sets_so_far_[event.set].size;
    if (event.kind == Kind::set)
        set = {true,
               event.first<trace::Role>(),
               event.second<trace::Structure>(),
               event.x,
               set.most,
               std::max(event.y, set.slots),
               0};
    const bool comes = event.kind == Kind::insert, goes = event.kind == Kind::remove && size > 0;
    if (comes) set.most = std::max(set.most, ++size);
    if (goes) --size;
    if ((comes || goes) && set.declared && set.role == trace::Role::ready) ready_.add(n, comes);
}

void TraceIndex::take_place(const trace::Event& event) {
    SetFacts& set = set_facts_[event.set];
    if (set.structure != trace::Structure::wheel || event.x < 0 || event.x >= kNone) return;
    set.slots = std::max(set.slots, event.x + 1);
    SetSoFar& so_far = sets_so_far_[event.set];
    if (event.kind == Kind::hand)
        so_far.hand = event.x;
    else
        so_far.distances.push_back((event.x - so_far.hand + set.slots) % set.slots);
}

void TraceIndex::take_copy(const trace::Event& event, std::uint32_t n) {
    copies_.push_back(n);
    marks_.push_back(n);
    add_tenant(event.set, event.co);
    for (const std::int64_t bytes : {event.x, event.y})
        if (bytes > 0) largest_image_ = std::max(largest_image_, static_cast<std::uint64_t>(bytes));
}

void TraceIndex::add_tenant(std::uint32_t stack, std::uint32_t co) {
    if (co == kNone || last_stack_[co] == stack) return;
    const bool first = last_stack_[co] == kNone;
    last_stack_[co] = stack;
    std::vector<std::uint32_t>& tenants = tenants_[stack];
    // Few coroutines change their stack, so the list is searched only for those.
    if (first || std::find(tenants.begin(), tenants.end(), co) == tenants.end()) tenants.push_back(co);
}

void TraceIndex::build_tree(const trace::Trace& trace) {
    const auto count = static_cast<std::uint32_t>(spawns_.size());
    std::vector<std::vector<std::uint32_t>> children(count);
    std::vector<TreeRow> open;
    for (std::uint32_t i = count; i-- > 0;) {
        const std::uint32_t parent = spawns_[i] == kNone ? kNone : trace[spawns_[i]].other;
        // A parent is spawned before its child; ignore the parent otherwise, since a broken trace must not create a
        // cycle.
        const bool under = parent < count && spawns_[parent] < spawns_[i];
        if (under)
            children[parent].push_back(i);
        else
            open.push_back({i, 0});
    }
    tree_.reserve(count);
    while (!open.empty()) {
        const TreeRow row = open.back();
        open.pop_back();
        tree_.push_back(row);
        for (const std::uint32_t child : children[row.co]) open.push_back({child, row.depth + 1});
    }
}

std::int64_t turn_of(std::int64_t slots, std::vector<std::int64_t> distances) {
    static constexpr std::array<std::int64_t, 12> kTurns{50,   64,   100,  128,    250,    500,
                                                         1000, 2500, 5000, 10'000, 20'000, 30'000};
    if (distances.empty()) return slots;
    const auto nearly_all =
        distances.begin() + static_cast<std::ptrdiff_t>(distances.size() - 1 - distances.size() / 20);
    std::nth_element(distances.begin(), nearly_all, distances.end());
    for (const std::int64_t turn : kTurns)
        if (turn > *nearly_all && turn < slots && slots % turn == 0) return turn;
    return slots;
}

double TraceIndex::busy_share(std::uint32_t m) const noexcept {
    const auto whole = static_cast<double>(duration_);
    return whole > 0 ? 1 - idle_.share(m, 0, whole) / whole : 0;
}

trace::Idle idle_now(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co) noexcept {
    const trace::CoroutineNow& now = replay.coroutine(co);
    if (!now.exists || now.state != trace::State::running) return trace::Idle::none;
    const trace::IdleSpan* span = index.idle().at(now.machine, replay.at());
    return span == nullptr ? trace::Idle::none : span->kind;
}

std::uint32_t runs_after(const trace::Event& event) noexcept {
    return event.kind == Kind::switch_ ? event.other : event.co;
}

}  // namespace fiberscope::viewer
