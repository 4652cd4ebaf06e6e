#include "traces/replay/replay.h"

#include <algorithm>

#include "traces/replay/builder.h"
#include "traces/replay/set_view.h"

namespace fiberscope::trace {

struct Replay::Impl {
    explicit Impl(const Trace& t) : trace(t) {}

    void add_to(Slices& slices, double share) {
        builder = std::make_unique<ReplayBuilder>(trace, cells, layout, index);
        builder->add_to(slices, share);
        slices.add_once([this] { settle(); });
    }
    void settle() {
        builder.reset();
        for (auto& nodes : layout.nodes) std::sort(nodes.begin(), nodes.end());
        coroutines.resize(trace.coroutines());
        sets.resize(layout.declared.size());
        stale.resize(sets.size());
        make_all_stale();
        cells.seek(0);
    }

    void make_stale(std::uint32_t set) {
        if (stale[set]) return;
        stale[set] = true;
        to_read.push_back(set);
    }
    void make_all_stale() {
        for (std::uint32_t i = 0; i < stale.size(); ++i) make_stale(i);
    }
    // The cached views that a step over this event invalidates.
    void touch(const Event& e) {
        switch (e.kind) {
        case Kind::set:
        case Kind::insert:
        case Kind::remove:
        case Kind::move:
        case Kind::hand:
        case Kind::link:
            if (layout.place_of_set[e.set] != kNone) make_stale(layout.place_of_set[e.set]);
            break;
        default: break;
        }
    }
    std::uint64_t moment = kNoMoment;
    CoroutineNow read_coroutine(std::uint32_t co) const noexcept;
    void read_copies(std::uint32_t co, CoroutineNow& now) const noexcept;
    std::span<const std::uint32_t> events_of(std::uint32_t co) const noexcept {
        if (co >= trace.coroutines()) return {};
        return std::span(index.events)
            .subspan(index.event_begins[co], index.event_begins[co + 1] - index.event_begins[co]);
    }

    const Trace& trace;
    std::unique_ptr<ReplayBuilder> builder;  // null once the replay is built
    Cells cells;
    ReplayLayout layout;
    ReplayIndex index;
    // Views read from the cells for the caller, and their stale flags.
    struct CoroutineView {
        std::size_t at = SIZE_MAX;
        CoroutineNow now;
    };
    mutable std::vector<CoroutineView> coroutines;
    mutable std::vector<SetNow> sets;
    mutable std::vector<bool> stale;
    mutable std::vector<std::uint32_t> to_read;  // the sets that are stale
};

void Replay::Impl::read_copies(std::uint32_t co, CoroutineNow& now) const noexcept {
    now.stack = cells.read(layout.coroutine(co) + co_cell::stack);
    now.owns = now.stack != kNone && cells.read(layout.stack(now.stack) + stack_cell::owner) == co;
    now.last_copy = cells.read(layout.coroutine(co) + co_cell::last_copy);
    if (now.last_copy == kNone) return;
    const Event& copy = trace[now.last_copy];
    now.copied = copy.x;
    now.capacity = copy.y;
    now.saved = copy.first<Direction>() == Direction::out;
}

CoroutineNow Replay::Impl::read_coroutine(std::uint32_t co) const noexcept {
    const Cells::Address base = layout.coroutine(co);
    const auto get = [&](std::uint32_t cell) { return cells.read(base + cell); };
    CoroutineNow now;
    const std::uint32_t spawn = get(co_cell::spawn_event);
    if (spawn != kNone) {
        now.exists = true;
        now.kind = trace[spawn].first<CoKind>();
        now.parent = trace[spawn].other;
    }
    if (get(co_cell::state) != kNone) {
        now.state = static_cast<State>(get(co_cell::state));
        now.since = trace.time(get(co_cell::state_event));
    }
    now.caller = get(co_cell::caller);
    now.machine = get(co_cell::machine);
    now.last_switch = get(co_cell::last_switch);
    if (now.last_switch != kNone) {
        now.reason = trace[now.last_switch].text;
        if (now.state == State::sleeping || now.state == State::waiting) now.until = trace[now.last_switch].x;
    }
    now.switches_in = get(co_cell::switches_in) == kNone ? 0 : get(co_cell::switches_in);
    if (get(co_cell::frames) != kNone) now.frames = trace[get(co_cell::frames)].text;
    read_copies(co, now);
    const auto events = events_of(co);
    const auto after = std::lower_bound(events.begin(), events.end(), cells.at());
    if (after != events.begin()) now.last_event = *(after - 1);
    return now;
}

Replay::Replay(const Trace& trace, Slices& slices, double share) : impl_(std::make_unique<Impl>(trace)) {
    impl_->add_to(slices, share);
}
Replay::Replay(const Trace& trace) : impl_(std::make_unique<Impl>(trace)) {
    Slices slices;
    impl_->add_to(slices, 1);
    slices.finish();
}
Replay::~Replay() = default;
Replay::Replay(Replay&&) noexcept = default;

const Trace& Replay::trace() const noexcept { return impl_->trace; }
std::size_t Replay::size() const noexcept { return impl_->trace.size(); }
std::size_t Replay::at() const noexcept { return impl_->cells.at(); }
std::uint64_t Replay::time() const noexcept {
    const std::uint64_t event = at() == 0 ? 0 : impl_->trace.time(at() - 1);
    if (impl_->moment == kNoMoment || size() == 0) return event;
    return std::max(event, std::min(impl_->moment, impl_->trace.time(size() - 1)));
}

void Replay::look_at(std::uint64_t t) noexcept { impl_->moment = t; }

bool Replay::forward() {
    if (at() == size()) return false;
    impl_->touch(impl_->trace[at()]);
    impl_->cells.forward();
    return true;
}

bool Replay::backward() {
    if (at() == 0) return false;
    impl_->touch(impl_->trace[at() - 1]);
    impl_->cells.backward();
    return true;
}

void Replay::seek(std::size_t at) {
    at = std::min(at, size());
    if (at == this->at()) return;
    impl_->make_all_stale();
    impl_->cells.seek(at);
}

std::size_t Replay::index_at_time(std::uint64_t t) const noexcept {
    std::size_t first = 0, count = size();
    while (count > 0) {
        const std::size_t half = count / 2;
        if (impl_->trace.time(first + half) <= t) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

std::size_t Replay::next_of(std::uint32_t co, std::size_t from) const {
    const auto events = events_of(co);
    const auto next = std::lower_bound(events.begin(), events.end(), from);
    return next == events.end() ? from : *next + std::size_t{1};
}

std::size_t Replay::previous_of(std::uint32_t co, std::size_t from) const {
    const auto events = events_of(co);
    const auto next = std::lower_bound(events.begin(), events.end(), from == 0 ? 0 : from - 1);
    return next == events.begin() ? from : *(next - 1) + std::size_t{1};
}

std::size_t Replay::coroutines() const noexcept { return impl_->coroutines.size(); }

const CoroutineNow& Replay::coroutine(std::uint32_t co) const noexcept {
    static const CoroutineNow kNoSuchCoroutine;
    if (co >= impl_->coroutines.size()) return kNoSuchCoroutine;
    Impl::CoroutineView& view = impl_->coroutines[co];
    if (view.at != at()) view = {at(), impl_->read_coroutine(co)};
    return view.now;
}

std::uint32_t Replay::running(std::uint32_t m) const noexcept {
    return m < impl_->trace.machines() ? impl_->cells.read(impl_->layout.machines + m) : kNone;
}

std::vector<std::uint32_t> Replay::caller_stack(std::uint32_t m) const {
    std::vector<std::uint32_t> stack;
    std::vector<bool> seen(coroutines(), false);  // an invalid trace may contain a cycle
    for (std::uint32_t co = running(m); co != kNone && !seen[co];
         co = impl_->cells.read(impl_->layout.coroutine(co) + co_cell::caller)) {
        seen[co] = true;
        stack.push_back(co);
    }
    return stack;
}

std::span<const SetNow> Replay::sets() const noexcept {
    const std::uint32_t count = impl_->cells.read(impl_->layout.declared_count);
    const std::size_t declared = count == kNone ? 0 : count;
    auto left = impl_->to_read.begin();
    for (const std::uint32_t i : impl_->to_read) {
        if (i >= declared) {
            *left++ = i;
            continue;
        }
        read_set(impl_->trace, impl_->cells, impl_->layout, impl_->layout.declared[i], impl_->sets[i]);
        impl_->stale[i] = false;
    }
    impl_->to_read.erase(left, impl_->to_read.end());
    return std::span<const SetNow>(impl_->sets).first(declared);
}

SharedStackNow Replay::shared_stack(std::uint32_t stack) const noexcept {
    if (stack >= impl_->trace.shared_stacks()) return {};
    const Cells::Address base = impl_->layout.stack(stack);
    const auto get = [&](std::uint32_t cell) { return impl_->cells.read(base + cell); };
    const auto count = [&](std::uint32_t cell) { return get(cell) == kNone ? 0 : get(cell); };
    const auto sum = [&](std::uint32_t low) {
        return get(low + 1) == kNone ? 0 : std::uint64_t{get(low + 1)} << 32 | get(low);
    };
    return {get(stack_cell::owner),       get(stack_cell::last_copy), count(stack_cell::copies_out),
            count(stack_cell::copies_in), sum(stack_cell::bytes_out), sum(stack_cell::bytes_in)};
}

// A jump saves nothing, so the registers saved by the previous switch are still current.
std::vector<RegisterValue> Replay::registers(std::uint32_t co) const {
    const std::uint32_t last = coroutine(co).last_switch;
    if (last == kNone) return {};
    const auto events = events_of(co);
    for (auto event = std::upper_bound(events.begin(), events.end(), last); event != events.begin();) {
        const Event& e = impl_->trace[*--event];
        if (e.kind == Kind::spawn && e.co == co) break;
        if (e.kind == Kind::switch_ && e.co == co && e.first<Why>() != Why::jump) return impl_->trace.saved(*event);
    }
    return {};
}

Stretches Replay::stretches(std::uint32_t co) const noexcept {
    if (co >= coroutines()) return {};
    const ReplayIndex& index = impl_->index;
    const std::size_t begin = index.stretch_begins[co], end = index.stretch_begins[co + 1];
    return {impl_->trace, co, std::span(index.stretches).subspan(begin, end - begin), index.end};
}

std::span<const std::uint32_t> Replay::events_of(std::uint32_t co) const noexcept { return impl_->events_of(co); }

}  // namespace fiberscope::trace
