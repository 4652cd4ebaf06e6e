// The part of the replay's builder for sets: members, trees, heaps, wheels.
#include "traces/replay/builder.h"

namespace fiberscope::trace {

void ReplayBuilder::declare(const Event& e) {
    put(layout_.set(e.set) + set_cell::declaration, now_);
    if (layout_.place_of_set[e.set] != kNone) return;
    layout_.place_of_set[e.set] = static_cast<std::uint32_t>(layout_.declared.size());
    layout_.declared.push_back(e.set);
    put(layout_.declared_count, static_cast<std::uint32_t>(layout_.declared.size()));
}

// From here on the sets of a machine belong to another one.
void ReplayBuilder::give(const Event& e) {
    if (e.first<MachineOp>() != MachineOp::give || e.other == kNone || e.y == kAbsent) return;
    for (const std::uint32_t set : layout_.declared) {
        const std::uint32_t given = get(layout_.set(set) + set_cell::given_event);
        const std::int64_t owner =
            given != kNone ? trace_[given].y : trace_[get(layout_.set(set) + set_cell::declaration)].x;
        if (owner == static_cast<std::int64_t>(e.other)) put(layout_.set(set) + set_cell::given_event, now_);
    }
}

Cells::Address ReplayBuilder::allocate_member() {
    if (free_members_.empty()) return cells_.allocate(member_cell::count);
    const Cells::Address member = free_members_.back();
    free_members_.pop_back();
    return member;
}

void ReplayBuilder::insert(const Event& e) {
    const auto [found, added] = members_.try_emplace(key_of(e), kNone);
    if (!added) return;
    const Cells::Address member = found->second = allocate_member();
    ItemKey any = key_of(e);
    any.key = kNone;
    last_member_[any] = member;
    put(member + member_cell::insert_event, now_);
    put(member + member_cell::at_event, now_);
    link_member(e, member);
}

// `at` is a position only in a queue; every other structure keeps the order of insertion.
void ReplayBuilder::link_member(const Event& e, Cells::Address member) {
    const Cells::Address set = layout_.set(e.set);
    const std::uint32_t declaration = get(set + set_cell::declaration);
    const bool queue = declaration == kNone || trace_[declaration].second<Structure>() == Structure::queue;
    Sequence& sequence = sequences_[e.set];
    const bool at_end = !queue || e.x < 0 || static_cast<std::uint64_t>(e.x) >= sequence.size();
    const std::size_t place = at_end ? sequence.size() : static_cast<std::size_t>(e.x);
    const std::uint32_t next = at_end ? kNone : sequence.at(place);
    const std::uint32_t previous = at_end ? get(set + set_cell::tail) : get(next + member_cell::previous);
    sequence.insert(place, member);
    put(member + member_cell::previous, previous);
    put(member + member_cell::next, next);
    put(previous == kNone ? set + set_cell::head : previous + member_cell::next, member);
    put(next == kNone ? set + set_cell::tail : next + member_cell::previous, member);
}

void ReplayBuilder::remove(const Event& e) {
    const auto found = members_.find(key_of(e));
    if (found == members_.end()) return;
    const Cells::Address member = found->second, set = layout_.set(e.set);
    const std::uint32_t previous = get(member + member_cell::previous), next = get(member + member_cell::next);
    put(previous == kNone ? set + set_cell::head : previous + member_cell::next, next);
    put(next == kNone ? set + set_cell::tail : next + member_cell::previous, previous);
    sequences_[e.set].remove(member);
    members_.erase(found);
    ItemKey any = key_of(e);
    any.key = kNone;
    const auto last = last_member_.find(any);
    if (last != last_member_.end() && last->second == member) last_member_.erase(last);
    free_members_.push_back(member);
}

void ReplayBuilder::move(const Event& e) {
    const auto found = last_member_.find(key_of(e));  // its key is absent
    if (found != last_member_.end()) put(found->second + member_cell::at_event, now_);
}

Cells::Address ReplayBuilder::node(std::uint32_t set, std::uint32_t id) {
    const auto [found, added] = nodes_.try_emplace(ItemKey{id, set, kNone}, kNone);
    if (added) {
        found->second = cells_.allocate(node_cell::count);
        layout_.nodes[set].emplace_back(id, found->second);
    }
    return found->second;
}

void ReplayBuilder::link(const Event& e) {
    if (e.e1 == link_field::root) return put(layout_.set(e.set) + set_cell::root, e.co);
    const Cells::Address cells = node(e.set, e.co);
    if (e.e1 & link_field::left) put(cells + node_cell::left, static_cast<std::uint32_t>(e.x));
    if (e.e1 & link_field::right) put(cells + node_cell::right, static_cast<std::uint32_t>(e.y));
    if (e.e1 & link_field::parent) put(cells + node_cell::parent, e.other);
    if (e.e1 & link_field::color) put(cells + node_cell::color, e.e2);
}

}  // namespace fiberscope::trace
