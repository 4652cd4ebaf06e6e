#include "traces/replay/builder.h"

#include <algorithm>
#include <utility>

namespace fiberscope::trace {
namespace {

/// Maximum depth to which a caller stack is searched for a switch. Labs allow 128 nested coroutines.
constexpr int kDeepestUnwind = 4096;

}  // namespace

ReplayBuilder::ReplayBuilder(const Trace& trace, Cells& cells, ReplayLayout& layout, ReplayIndex& index)
    : trace_(trace), cells_(cells), layout_(layout), index_(index) {}

void ReplayBuilder::lay_out() {
    layout_.coroutines = cells_.allocate(std::size_t{trace_.coroutines()} * co_cell::count);
    layout_.machines = cells_.allocate(trace_.machines());
    layout_.stacks = cells_.allocate(std::size_t{trace_.shared_stacks()} * stack_cell::count);
    layout_.sets = cells_.allocate(std::size_t{trace_.sets()} * set_cell::count);
    layout_.declared_count = cells_.allocate(1);
    layout_.place_of_set.assign(trace_.sets(), kNone);
    layout_.nodes.resize(trace_.sets());
    sequences_.resize(trace_.sets());
}

void ReplayBuilder::add_to(Slices& slices, double share) {
    slices.add_once([this] {
        lay_out();
        cells_.expect(trace_.size());
    });
    slices.add_pass(
        0.6 * share, [this] { return trace_.size(); }, [this](std::size_t n) { apply_event(n); });
    slices.add_once([this] { cells_.end_recording(); });
    add_index(slices, 0.2 * share, index_.stretches, index_.stretch_begins,
              [](const Event& e, const auto& f) { for_each_beginning(e, f); });
    add_index(slices, 0.2 * share, index_.events, index_.event_begins,
              [](const Event& e, const auto& f) { for_each_coroutine(e, f); });
}

/// Appends the indices of all events to `numbers`, grouped by coroutine, and the start of each group to `begins`.
/// `for_each(event, f)` calls `f` with the coroutines of an event.
template <class ForEach>
void ReplayBuilder::add_index(Slices& slices, double share, std::vector<std::uint32_t>& numbers,
                              std::vector<std::size_t>& begins, ForEach for_each) {
    const auto all = [this] { return trace_.size(); };
    slices.add_once([this, &begins] { begins.assign(std::size_t{trace_.coroutines()} + 1, 0); });
    slices.add_pass(share / 2, all, [this, &begins, for_each](std::size_t n) {
        for_each(trace_[n], [&](std::uint32_t co) { ++begins[co + 1]; });
    });
    slices.add_once([this, &begins, &numbers] {
        for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
        next_.assign(begins.begin(), begins.end() - 1);
        numbers.resize(begins.back());
    });
    slices.add_pass(share / 2, all, [this, &numbers, for_each](std::size_t n) {
        for_each(trace_[n], [&](std::uint32_t co) { numbers[next_[co]++] = static_cast<std::uint32_t>(n); });
    });
}

void ReplayBuilder::apply_event(std::size_t n) {
    now_ = static_cast<std::uint32_t>(n);
    const Event e = trace_[n];
    index_.end = std::max(index_.end, e.t);
    apply(e);
    cells_.end_event();
}

void ReplayBuilder::apply(const Event& e) {
    switch (e.kind) {
    case Kind::spawn: return spawn(e);
    case Kind::switch_: return switch_to(e);
    case Kind::state: return change_state(e);
    case Kind::set: return declare(e);
    case Kind::insert: return insert(e);
    case Kind::remove: return remove(e);
    case Kind::move: return move(e);
    case Kind::hand: return put(layout_.set(e.set) + set_cell::hand_event, now_);
    case Kind::link: return link(e);
    case Kind::machine: return give(e);
    case Kind::own: return own(e);
    case Kind::copy: return copy(e);
    case Kind::frame: return put(layout_.coroutine(e.co) + co_cell::frames, now_);
    default: return;  // describes what happened; does not change the state of the replay
    }
}

void ReplayBuilder::enter_state(std::uint32_t co, State state, std::uint32_t machine) {
    const Cells::Address cells = layout_.coroutine(co);
    put(cells + co_cell::state, static_cast<std::uint32_t>(state));
    put(cells + co_cell::state_event, now_);
    if (machine != kNone) put(cells + co_cell::machine, machine);
    if (state == State::dead) leave_shared_stack(co);
}

void ReplayBuilder::spawn(const Event& e) {
    const Cells::Address cells = layout_.coroutine(e.co);
    const bool thread = e.first<CoKind>() == CoKind::thread;
    put(cells + co_cell::spawn_event, now_);
    put(cells + co_cell::caller, kNone);
    put(cells + co_cell::last_switch, kNone);
    put(cells + co_cell::switches_in, 0);
    leave_shared_stack(e.co);
    if (thread) put(layout_.machines + e.m, e.co);
    enter_state(e.co, thread ? State::running : State::new_, thread ? e.m : kNone);
}

void ReplayBuilder::switch_to(const Event& e) {
    const Cells::Address from = layout_.coroutine(e.co), to = layout_.coroutine(e.other);
    set_callers(e);
    enter_state(e.co, e.second<State>(), kNone);
    put(from + co_cell::last_switch, now_);
    enter_state(e.other, State::running, e.m);
    const std::uint32_t entered = get(to + co_cell::switches_in);
    put(to + co_cell::switches_in, entered == kNone ? 1 : entered + 1);
    put(layout_.machines + e.m, e.other);
}

// A resume makes `from` the caller of `to`; a yield or the end returns to it. In a symmetric switch `to` takes the
// place of `from` on the caller stack, or, if it is already there, everything above it is unwound.
void ReplayBuilder::set_callers(const Event& e) {
    const Cells::Address from = layout_.coroutine(e.co), to = layout_.coroutine(e.other);
    const Why why = e.first<Why>();
    const bool waits = e.second<State>() == State::normal;
    if (waits && why != Why::yield && why != Why::exit) return put(to + co_cell::caller, e.co);
    const std::uint32_t caller = get(from + co_cell::caller);
    if (why == Why::yield || why == Why::exit) return put(from + co_cell::caller, kNone);
    if (unwind_to(e.co, e.other)) return;
    put(from + co_cell::caller, kNone);
    put(to + co_cell::caller, caller);
}

bool ReplayBuilder::unwind_to(std::uint32_t from, std::uint32_t to) {
    std::uint32_t co = from;
    for (int depth = 0; co != kNone && co != to; ++depth) {
        if (depth == kDeepestUnwind) return false;
        co = get(layout_.coroutine(co) + co_cell::caller);
    }
    if (co == kNone) return false;
    for (co = from; co != to;) {
        const Cells::Address caller = layout_.coroutine(co) + co_cell::caller;
        co = get(caller);
        put(caller, kNone);
    }
    return true;
}

void ReplayBuilder::change_state(const Event& e) {
    const auto to = e.second<State>();
    const Cells::Address cells = layout_.coroutine(e.co);
    if (to == State::dead) {
        // The end of a coroutine without a caller: its machine runs nothing from now on.
        const std::uint32_t machine = get(cells + co_cell::machine);
        if (machine != kNone && get(layout_.machines + machine) == e.co) put(layout_.machines + machine, kNone);
        put(cells + co_cell::caller, kNone);
    }
    enter_state(e.co, to, to == State::running ? e.m : kNone);
}

}  // namespace fiberscope::trace
