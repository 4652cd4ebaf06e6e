#include "traces/read/trace_builder.h"

#include <algorithm>
#include <functional>

#include "traces/schema/named.h"

namespace fiberscope::trace {
namespace {

/// Maximum distance of full register snapshots, which bounds the number of steps to reconstruct one.
constexpr std::uint32_t kLongestChain = 16;
/// The number of a coroutine, timer or shared stack may exceed the number of events by this much.
constexpr std::uint32_t kSpareNumbers = 65536;

std::size_t hash_of(std::string_view text) noexcept { return std::hash<std::string_view>()(text); }

}  // namespace

std::string TraceBuilder::shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U && most - end < 4) --end;
    return std::string(text.substr(0, end)) + "…";
}

void TraceBuilder::grow_interner() {
    interner_.slots.assign(std::max<std::size_t>(1024, interner_.slots.size() * 2), 0);
    const std::size_t mask = interner_.slots.size() - 1;
    for (std::uint32_t i = 0; i < trace.string_ends_.size(); ++i) {
        std::size_t slot = hash_of(trace.bytes_of(i)) & mask;
        while (interner_.slots[slot] != 0) slot = (slot + 1) & mask;
        interner_.slots[slot] = i + 1;
    }
}

std::uint32_t TraceBuilder::intern_name(std::string_view text) {
    return text.size() > kMostName ? intern(shortened(text, kMostName)) : intern(text);
}

std::uint32_t TraceBuilder::intern(std::string_view text) {
    constexpr std::size_t kSign = 3;  // bytes of the ellipsis that is appended to a truncated text
    if (text.size() > kMostText + kSign) return intern(shortened(text, kMostText));
    if (trace.string_ends_.size() * 2 >= interner_.slots.size()) grow_interner();
    const std::size_t mask = interner_.slots.size() - 1;
    std::size_t slot = hash_of(text) & mask;
    for (; interner_.slots[slot] != 0; slot = (slot + 1) & mask)
        if (trace.bytes_of(interner_.slots[slot] - 1) == text) return interner_.slots[slot] - 1;
    if (trace.characters_.size() + text.size() >= kNone)
        throw FieldError("expected less than 4 GiB of different texts");
    trace.characters_ += text;
    trace.string_ends_.push_back(static_cast<std::uint32_t>(trace.characters_.size()));
    interner_.slots[slot] = static_cast<std::uint32_t>(trace.string_ends_.size());
    return static_cast<std::uint32_t>(trace.string_ends_.size() - 1);
}

std::uint32_t TraceBuilder::set_index(const std::string& name) {
    const auto [found, added] = set_indices_.try_emplace(name, static_cast<std::uint32_t>(trace.set_names_.size()));
    if (added) trace.set_names_.push_back(intern_name(name));
    return found->second;
}

std::uint32_t TraceBuilder::shape_index(const RawEvent::Pairs& registers) {
    std::vector<std::uint32_t> names;
    for (const auto& [name, value] : registers) names.push_back(intern_name(name));
    const auto found = std::find(trace.shapes_.begin(), trace.shapes_.end(), names);
    if (found != trace.shapes_.end()) return static_cast<std::uint32_t>(found - trace.shapes_.begin());
    if (trace.shapes_.size() == 64) throw FieldError("expected at most 64 different lists of registers in one trace");
    trace.shapes_.push_back(std::move(names));
    return static_cast<std::uint32_t>(trace.shapes_.size() - 1);
}

std::uint32_t TraceBuilder::add_snapshot(std::uint32_t co, const RawEvent::Pairs& registers) {
    if (registers.empty()) return kNone;
    Last& last = last_registers_[co];
    Trace::Snapshot s{kNone, shape_index(registers), static_cast<std::uint32_t>(trace.changes_.size()), 0};
    const bool as_changes =
        last.snapshot != kNone && trace.snapshots_[last.snapshot].shape == s.shape && last.chain < kLongestChain;
    if (as_changes) s.previous = last.snapshot;
    last.chain = as_changes ? last.chain + 1 : 0;
    last.values.resize(registers.size(), kNone);
    for (std::uint32_t i = 0; i < registers.size(); ++i) {
        const std::uint32_t value = intern_name(registers[i].second);
        if (as_changes && last.values[i] == value) continue;
        trace.changes_.push_back({i, value});
        last.values[i] = value;
    }
    s.count = static_cast<std::uint32_t>(trace.changes_.size()) - s.first;
    last.snapshot = static_cast<std::uint32_t>(trace.snapshots_.size());
    trace.snapshots_.push_back(s);
    return last.snapshot;
}

void TraceBuilder::add_registers(const Event& event, const RawEvent& raw) {
    if (event.kind != Kind::switch_ || (raw.saved.empty() && raw.loaded.empty())) return;
    const std::uint32_t saved = add_snapshot(event.co, raw.saved);
    const std::uint32_t loaded = add_snapshot(event.other, raw.loaded);
    trace.switches_.push_back({static_cast<std::uint32_t>(trace.events_.size()), saved, loaded});
}

void TraceBuilder::note_number(Largest& largest, std::int64_t number, std::size_t line) {
    if (number < 0 || number >= kNone || number < largest.number) return;
    largest = {static_cast<std::uint32_t>(number + 1), line};
}

void TraceBuilder::note_numbers(const Event& e, std::size_t line) {
    if (e.kind == Kind::link) return;  // see mark_link
    const Named& n = named(e.kind);
    const auto note = [line](Largest& largest, std::int64_t number) { note_number(largest, number, line); };
    if (n.coroutine_in_co) note(coroutine_, e.co);
    if (n.coroutine_in_other) note(coroutine_, e.other);
    if (n.coroutine_in_y) note(coroutine_, e.y);
    if (n.timer_in_other) note(timer_, e.other);
    if (n.stack_in_set) note(stack_, e.set);
}

void TraceBuilder::add(Event event, const EventTexts& texts, const RawEvent& raw, std::size_t line) {
    if (trace.events_.size() == kNone - 1) throw FieldError("expected less than 4294967294 events");
    if (texts.set) event.set = set_index(*texts.set);
    const bool told = event.kind == Kind::note || event.kind == Kind::fault || event.kind == Kind::state;
    if (texts.text && texts.values)
        event.text = intern(*texts.text + '\t' + *texts.values);
    else if (texts.text)
        event.text = told ? intern(*texts.text) : intern_name(*texts.text);
    if (event.kind == Kind::set) {
        if (event.text != kNone) trace.set_names_[event.set] = event.text;
        event.text = trace.set_names_[event.set];
    }
    if (texts.other) event.other = intern_name(*texts.other);
    add_registers(event, raw);
    note_numbers(event, line);
    machines_ = std::max(machines_, event.m + std::uint32_t{1});
    if (event.t < last_time_ && event.m != last_machine_) in_order_ = false;
    last_time_ = event.t;
    last_machine_ = event.m;
    if (!trace.events_.add(event)) throw FieldError("expected less than 4 GiB of numbers and texts of events");
    trace.lines_.add(line);
}

void TraceBuilder::check(const Largest& largest, Text what) {
    if (largest.number <= kSpareNumbers + trace.events_.size()) return;
    error_line_ = largest.line;
    throw FieldError(message("expected numbers of {0} that count up from 0, but found {1} in a file of {2} events",
                             what, largest.number - 1, trace.events_.size()));
}

// Repeatedly takes the earliest of the machines' next events. Each machine's own order is kept even where its time runs
// backwards, so that the checker can report it.
void TraceBuilder::merge_machines(Slices& slices) {
    slices.add_once([this] {
        merge_.keys.resize(trace.size());
        merge_.next.assign(trace.size(), kNone);
        merge_.last.assign(machines_, kNone);
        merge_.events.reserve(trace.size());
    });
    slices.add_pass(
        0.2, [this] { return trace.size(); }, [this](std::size_t n) { queue_for_merge(n); });
    slices.add_pass(
        0.5, [this] { return trace.size(); }, [this](std::size_t) { merge_next(); });
    slices.add_once([this] { take_merged(); });
}

void TraceBuilder::queue_for_merge(std::size_t n) {
    const Event e = trace[n];
    const auto event = static_cast<std::uint32_t>(n);
    std::uint32_t& last = merge_.last[e.m];
    merge_.keys[n] = last == kNone ? e.t : std::max(merge_.keys[last], e.t);
    if (last == kNone)
        merge_.heads.emplace(merge_.keys[n], event);
    else
        merge_.next[last] = event;
    last = event;
}

void TraceBuilder::merge_next() {
    const std::uint32_t event = merge_.heads.top().second, next = merge_.next[event];
    merge_.heads.pop();
    if (next != kNone) merge_.heads.emplace(merge_.keys[next], next);
    const auto place = static_cast<std::uint32_t>(merge_.events.size());
    if (const auto* registers = trace.registers_of(event))
        merge_.switches.push_back({place, registers->saved, registers->loaded});
    if (!merge_.events.add(trace[event])) throw FieldError("expected less than 4 GiB of numbers and texts of events");
    merge_.lines.add(trace.lines_[event]);
}

void TraceBuilder::take_merged() {
    trace.events_ = std::move(merge_.events);
    trace.lines_ = std::move(merge_.lines);
    trace.switches_ = std::move(merge_.switches);
    merge_ = {};
}

void TraceBuilder::leave_out_after(Slices& slices, std::int64_t t) {
    slices.add_once([this, t] {
        std::size_t n = trace.size();
        while (n > 0 && static_cast<std::int64_t>(trace.time(n - 1)) > t) --n;
        trace.events_.truncate(n);
        trace.lines_.truncate(n);
        while (!trace.switches_.empty() && trace.switches_.back().event >= n) trace.switches_.pop_back();
        coroutine_ = timer_ = stack_ = {};
    });
    slices.add_pass(
        0, [this] { return trace.size(); }, [this](std::size_t n) { note_numbers(trace[n], trace.lines_[n]); });
}

void TraceBuilder::note_declaration(std::size_t n) {
    has_links_ = has_links_ || trace.kind(n) == Kind::link;
    if (trace.kind(n) != Kind::set) return;
    const Event e = trace[n];
    if (e.first<Role>() == Role::timer) timer_sets_[e.set] = true;
}

// Whether the nodes of a tree are timers follows from the declaration of its set, which may come after its links; so
// they are counted at the end.
void TraceBuilder::mark_link(std::size_t n) {
    if (trace.kind(n) != Kind::link) return;
    const Event e = trace[n];
    if (timer_sets_[e.set]) trace.events_.mark_timers(n);
    for (const std::int64_t node : {e.x, e.y, std::int64_t{e.co}, std::int64_t{e.other}})
        note_number(timer_sets_[e.set] ? timer_ : coroutine_, node, trace.lines_[n]);
}

void TraceBuilder::count_numbers() {
    check(coroutine_, mark("coroutines"));
    check(timer_, mark("timers"));
    check(stack_, mark("shared stacks"));
    trace.machines_ = machines_;
    trace.coroutines_ = coroutine_.number;
    trace.timers_ = timer_.number;
    trace.shared_stacks_ = stack_.number;
    trace.spawn_names_.assign(trace.coroutines_, kNone);
}

// An `access` names the owner of the stack. The first access that used an address determines the address's owner.
void TraceBuilder::note_name_and_address(std::size_t n) {
    const Kind kind = trace.kind(n);
    if (kind != Kind::spawn && kind != Kind::name && kind != Kind::access) return;
    const Event e = trace[n];
    if (kind != Kind::access) {
        trace.spawn_names_[e.co] = e.text;
    } else {
        const std::uint32_t whose = first_users_.try_emplace({e.set, e.x}, e.other).first->second;
        trace.addresses_.push_back({static_cast<std::uint32_t>(n), whose});
    }
}

void TraceBuilder::give_back_room() {
    trace.addresses_.shrink_to_fit();
    trace.events_.finish();
    trace.characters_.shrink_to_fit();
    trace.string_ends_.shrink_to_fit();
    trace.switches_.shrink_to_fit();
    trace.snapshots_.shrink_to_fit();
    trace.changes_.shrink_to_fit();
}

void TraceBuilder::finish(Slices& slices, std::int64_t until) {
    const auto all = [this] { return trace.size(); };
    const double rest = in_order_ ? 1 : 0.3;  // share of the work without merging
    if (!in_order_) merge_machines(slices);
    if (until != INT64_MAX) leave_out_after(slices, until);
    timer_sets_.assign(trace.set_names_.size(), false);
    slices.add_pass(rest / 3, all, [this](std::size_t n) { note_declaration(n); });
    slices.add_pass(
        rest / 3, [this] { return has_links_ ? trace.size() : 0; }, [this](std::size_t n) { mark_link(n); });
    slices.add_once([this] { count_numbers(); });
    slices.add_pass(rest / 3, all, [this](std::size_t n) { note_name_and_address(n); });
    slices.add_once([this] { give_back_room(); });
}

}  // namespace fiberscope::trace
