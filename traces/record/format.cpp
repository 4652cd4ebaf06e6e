#include "traces/record/format.h"

#include <cstddef>

#include "traces/record/sets.h"

namespace fiberscope::trace::detail {
namespace {

// In all of these `key` is the field's name as it stands in the line, a literal: `,"co":`.
template <std::size_t N>
using Key = const char (&)[N];

template <std::size_t N>
void number(Text& out, Key<N> key, std::int64_t value) noexcept {
    out.put(key);
    out.number(value);
}
template <std::size_t N>
void number_if(Text& out, Key<N> key, std::int64_t value) noexcept {
    if (value != kAbsent) number(out, key, value);
}
template <std::size_t N>
void index(Text& out, Key<N> key, std::uint32_t value) noexcept {
    out.put(key);
    out.number(std::uint64_t{value});
}
template <std::size_t N>
void index_if(Text& out, Key<N> key, std::uint32_t value) noexcept {
    if (value != kNone) index(out, key, value);
}
template <std::size_t N>
void index_or_null(Text& out, Key<N> key, std::int64_t value) noexcept {
    out.put(key);
    if (value == kAbsent || value == std::int64_t{kNone}) return out.put("null");
    out.number(value);
}
template <std::size_t N, class E>
void enumerator(Text& out, Key<N> key, E value) noexcept {
    out.put(key);
    out.put('"');
    if (static_cast<std::size_t>(value) < kWords<E>.size()) out.put(word(value));
    out.put('"');
}
template <std::size_t N, class E>
void enumerator_if(Text& out, Key<N> key, E value) noexcept {
    if (static_cast<std::size_t>(value) != 0) enumerator(out, key, value);
}
template <std::size_t N>
void text(Text& out, Key<N> key, std::string_view value) noexcept {
    out.put(key);
    out.quoted(value);
}
template <std::size_t N>
void text_if(Text& out, Key<N> key, std::string_view value) noexcept {
    if (!value.empty()) text(out, key, value);
}
void set_name(Text& out, std::uint32_t set) noexcept {
    out.put(",\"set\":\"");
    out.put(sets::escaped_name(set));
    out.put('"');
}
void item(Text& out, const Event& e) noexcept {
    index_if(out, ",\"co\":", e.co);
    index_if(out, ",\"timer\":", e.other);
}

void format_spawn(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"co\":", e.co);
    index_if(out, ",\"parent\":", e.other);
    enumerator(out, ",\"kind\":", e.first<CoKind>());
    text(out, ",\"name\":", s.text);
    number_if(out, ",\"stack\":", e.x);
    enumerator_if(out, ",\"backend\":", e.second<Backend>());
    number_if(out, ",\"reuses\":", e.y);
}

void format_switch(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"from\":", e.co);
    index(out, ",\"to\":", e.other);
    enumerator(out, ",\"why\":", e.first<Why>());
    enumerator(out, ",\"left\":", e.second<State>());
    number_if(out, ",\"until\":", e.x);
    text_if(out, ",\"reason\":", s.text);
}

void format_state(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"co\":", e.co);
    enumerator(out, ",\"from\":", e.first<State>());
    enumerator(out, ",\"to\":", e.second<State>());
    enumerator_if(out, ",\"cause\":", e.third<Cause>());
    text_if(out, ",\"error\":", s.text);
}

void format_set(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    set_name(out, e.set);
    enumerator(out, ",\"role\":", e.first<Role>());
    enumerator(out, ",\"structure\":", e.second<Structure>());
    text_if(out, ",\"key\":", s.text);
    number_if(out, ",\"owner\":", e.x);
    number_if(out, ",\"slots\":", e.y);
}

void format_membership(Text& out, const Stored& s) noexcept {
    set_name(out, s.event.set);
    item(out, s.event);
    text_if(out, ",\"key\":", s.text);
    number_if(out, ",\"at\":", s.event.x);
}

void format_move(Text& out, const Stored& s) noexcept {
    set_name(out, s.event.set);
    item(out, s.event);
    number_if(out, ",\"at\":", s.event.x);
}

void format_hand(Text& out, const Stored& s) noexcept {
    set_name(out, s.event.set);
    number_if(out, ",\"at\":", s.event.x);
}

void format_link(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    set_name(out, e.set);
    if ((e.e1 & link_field::root) != 0) return index_or_null(out, ",\"root\":", std::int64_t{e.co});
    index(out, ",\"node\":", e.co);
    if ((e.e1 & link_field::left) != 0) index_or_null(out, ",\"left\":", e.x);
    if ((e.e1 & link_field::right) != 0) index_or_null(out, ",\"right\":", e.y);
    if ((e.e1 & link_field::parent) != 0) index_or_null(out, ",\"parent\":", std::int64_t{e.other});
    if ((e.e1 & link_field::color) != 0) enumerator(out, ",\"color\":", e.second<Color>());
}

void format_own(Text& out, const Stored& s) noexcept {
    index(out, ",\"stack\":", s.event.set);
    index_or_null(out, ",\"co\":", std::int64_t{s.event.co});
}

void format_copy(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"co\":", e.co);
    enumerator(out, ",\"dir\":", e.first<Direction>());
    number_if(out, ",\"bytes\":", e.x);
    number_if(out, ",\"capacity\":", e.y);
    index(out, ",\"stack\":", e.set);
}

void format_access(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"co\":", e.co);
    index(out, ",\"stack\":", e.set);
    number_if(out, ",\"offset\":", e.x);
    index_or_null(out, ",\"owner\":", std::int64_t{e.other});
}

void format_stack(Text& out, const Stored& s) noexcept {
    index(out, ",\"co\":", s.event.co);
    enumerator(out, ",\"op\":", s.event.first<StackOp>());
    number_if(out, ",\"bytes\":", s.event.x);
}

void format_io(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"co\":", e.co);
    index(out, ",\"fd\":", e.set);
    text(out, ",\"op\":", s.text);
    enumerator(out, ",\"phase\":", e.first<IoPhase>());
    enumerator_if(out, ",\"want\":", e.second<Want>());
    number_if(out, ",\"deadline\":", e.x);
    number_if(out, ",\"result\":", e.y);
    index_if(out, ",\"errno\":", e.other);
}

void format_poll(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    enumerator(out, ",\"phase\":", e.first<PollPhase>());
    index_if(out, ",\"fd\":", e.set);
    number_if(out, ",\"timeout\":", e.x);
    index_if(out, ",\"ready\":", e.other);
}

void format_timer(Text& out, const Stored& s) noexcept {
    const Event& e = s.event;
    index(out, ",\"timer\":", e.other);
    enumerator(out, ",\"op\":", e.first<TimerOp>());
    number_if(out, ",\"deadline\":", e.x);
    number_if(out, ",\"period\":", e.y);
    index_if(out, ",\"co\":", e.co);
}

void format_machine(Text& out, const Stored& s) noexcept {
    enumerator(out, ",\"op\":", s.event.first<MachineOp>());
    index_if(out, ",\"victim\":", s.event.other);
    number_if(out, ",\"count\":", s.event.x);
}

void format_lock(Text& out, const Stored& s) noexcept {
    index(out, ",\"co\":", s.event.co);
    text(out, ",\"object\":", s.text);
    enumerator(out, ",\"op\":", s.event.first<LockOp>());
    enumerator(out, ",\"mode\":", s.event.second<LockMode>());
}

void format_defer(Text& out, const Stored& s) noexcept {
    index(out, ",\"co\":", s.event.co);
    enumerator(out, ",\"op\":", s.event.first<DeferOp>());
    number_if(out, ",\"n\":", s.event.x);
}

void format_words(Text& out, const Stored& s) noexcept {
    index_if(out, ",\"co\":", s.event.co);
    text(out, ",\"text\":", s.text);
}

void format_fields(Text& out, const Stored& s) noexcept {
    switch (s.event.kind) {
    case Kind::spawn: return format_spawn(out, s);
    case Kind::switch_: return format_switch(out, s);
    case Kind::state: return format_state(out, s);
    case Kind::set: return format_set(out, s);
    case Kind::insert:
    case Kind::remove: return format_membership(out, s);
    case Kind::move: return format_move(out, s);
    case Kind::hand: return format_hand(out, s);
    case Kind::link: return format_link(out, s);
    case Kind::own: return format_own(out, s);
    case Kind::copy: return format_copy(out, s);
    case Kind::access: return format_access(out, s);
    case Kind::stack: return format_stack(out, s);
    case Kind::io: return format_io(out, s);
    case Kind::poll: return format_poll(out, s);
    case Kind::timer: return format_timer(out, s);
    case Kind::machine: return format_machine(out, s);
    case Kind::lock: return format_lock(out, s);
    case Kind::defer: return format_defer(out, s);
    case Kind::fault:
    case Kind::note: return format_words(out, s);
    }
}

// Flat, and with a cursor of its own, which nothing else can have changed: see Text. Returns the end of what it has written.
[[gnu::flatten]] char* put_without_registers(char* at, std::size_t room, const Stored& stored) noexcept {
    Text out(at, room);
    out.put("{\"t\":");
    out.number(stored.event.t);
    out.put(",\"m\":");
    out.number(stored.event.m);
    enumerator(out, ",\"ev\":", stored.event.kind);
    format_fields(out, stored);
    return out.at();
}

}  // namespace

void format(Text& out, const Stored& stored, AddressWords& words) noexcept {
    out.move_to(put_without_registers(out.at(), out.room(), stored));
    if (stored.registers != nullptr) put_registers(out, *stored.registers, words);
    out.put('}');
}

}  // namespace fiberscope::trace::detail
