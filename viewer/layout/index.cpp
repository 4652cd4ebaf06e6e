#include "viewer/layout/index.h"

#include <algorithm>

namespace fiberscope::viewer {

using trace::Kind;
using trace::kNone;

TraceIndex::TraceIndex(const trace::Trace& trace, const trace::Replay& replay)
    : spawns_(replay.coroutines(), kNone),
      runs_(trace.machines()),
      tenants_(trace.shared_stacks()),
      last_stack_(replay.coroutines(), kNone),
      set_facts_(trace.sets()),
      set_sizes_(trace.sets(), 0) {
    for (std::size_t n = 0; n < trace.size(); ++n) take(trace, static_cast<std::uint32_t>(n));
    if (trace.size() > 0) duration_ = trace[trace.size() - 1].t;
    build_tree(trace);
}

void TraceIndex::take(const trace::Trace& trace, std::uint32_t n) {
    const trace::Event& event = trace[n];
    switch (event.kind) {
    case Kind::switch_:
        switches_.push_back(n);
        runs_[event.m].push_back(n);
        use(event.second<trace::State>());
        use(trace::State::running);
        has_registers_ = has_registers_ || !trace.saved(n).empty() || !trace.loaded(n).empty();
        break;
    case Kind::spawn:
        if (event.co < spawns_.size() && spawns_[event.co] == kNone) spawns_[event.co] = n;
        if (event.first<trace::CoKind>() == trace::CoKind::thread) {
            runs_[event.m].push_back(n);
            use(trace::State::running);
        } else {
            use(trace::State::new_);
        }
        break;
    case Kind::state: use(event.second<trace::State>()); break;
    case Kind::access: has_hazards_ = has_hazards_ || trace.access(n).hazard(); [[fallthrough]];
    case Kind::note:
    case Kind::fault: marks_.push_back(n); break;
    case Kind::own: add_tenant(event.set, event.co); break;
    case Kind::copy: take_copy(event, n); break;
    case Kind::set:
    case Kind::insert:
    case Kind::remove: take_set(event); break;
    case Kind::machine:
        if (event.first<trace::MachineOp>() == trace::MachineOp::steal) steals_.push_back(n);
        break;
    case Kind::lock:
        locks_.push_back(n);
        if (std::find(lock_texts_.begin(), lock_texts_.end(), event.text) == lock_texts_.end())
            lock_texts_.push_back(event.text);
        if (event.first<trace::LockOp>() == trace::LockOp::block) marks_.push_back(n);
        break;
    default: break;
    }
}

void TraceIndex::take_set(const trace::Event& event) {
    SetFacts& set = set_facts_[event.set];
    std::uint32_t& size = set_sizes_[event.set];
    if (event.kind == Kind::set)
        set = {true, event.first<trace::Role>(), event.second<trace::Structure>(), event.x, set.most};
    else if (event.kind == Kind::insert)
        set.most = std::max(set.most, ++size);
    else if (size > 0)
        --size;
}

void TraceIndex::take_copy(const trace::Event& event, std::uint32_t n) {
    copies_.push_back(n);
    add_tenant(event.set, event.co);
    for (const std::int64_t bytes : {event.x, event.y})
        if (bytes > 0) largest_image_ = std::max(largest_image_, static_cast<std::uint64_t>(bytes));
}

void TraceIndex::add_tenant(std::uint32_t stack, std::uint32_t co) {
    if (co == kNone || last_stack_[co] == stack) return;
    const bool first = last_stack_[co] == kNone;
    last_stack_[co] = stack;
    std::vector<std::uint32_t>& tenants = tenants_[stack];
    // Few change their stack: only of those it must be looked up whether they were here before.
    if (first || std::find(tenants.begin(), tenants.end(), co) == tenants.end()) tenants.push_back(co);
}

void TraceIndex::build_tree(const trace::Trace& trace) {
    const auto count = static_cast<std::uint32_t>(spawns_.size());
    std::vector<std::vector<std::uint32_t>> children(count);
    std::vector<TreeRow> open;
    for (std::uint32_t i = count; i-- > 0;) {
        const std::uint32_t parent = spawns_[i] == kNone ? kNone : trace[spawns_[i]].other;
        // A parent is spawned before its child: what a broken trace says otherwise must not make a circle.
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

std::uint32_t runs_after(const trace::Event& event) noexcept {
    return event.kind == Kind::switch_ ? event.other : event.co;
}

}  // namespace fiberscope::viewer
