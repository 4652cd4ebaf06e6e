// The table of events: each kind, its fields, and what they mean. It stands once, here. The writer
// (traces/record/format.cpp), the reader (traces/read/event_fields.cpp), the constructors of events
// (traces/record/recorder.h), trace.schema.json and the table in docs/trace-format.md come from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "traces/schema/words.h"

namespace fiberscope::trace {

/// In the order of the headings of kRows.
enum class Kind : std::uint8_t {
    spawn,
    switch_,
    state,
    set,
    insert,
    remove,
    move,
    hand,
    link,
    own,
    copy,
    access,
    stack,
    io,
    poll,
    timer,
    machine,
    lock,
    defer,
    frame,
    fault,
    note,
    choice,
    name,
};
inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::name) + 1;

/// What a field holds. `heading` is the row that begins a kind.
enum class FieldType : std::uint8_t {
    heading,
    coroutine,
    coroutine_or_null,
    timer,
    node,  ///< of a tree: a timer in a set of role `timer`, else a coroutine
    node_or_null,
    shared_stack,  ///< its index
    machine,       ///< its index, up to 65535
    descriptor,    ///< from -1, which means none
    count,         ///< from 0
    integer,
    text,
    set,   ///< the name of a set
    word,  ///< of EventRow::words
    registers,
};

/// The member of Event that holds a field. A text lies beside the event: Event::text is its index or its length; its
/// values, in the field behind it, are the rest of the same text from a tab on. The key of a `set` event lies in
/// Event::other once it is read.
enum class Place : std::uint8_t { nowhere, co, other, set, x, y, e1, e2, e3, text, values, key };

/// Which fields a `link` event wrote (bits of Event::e1). A node that became null is kNone (in `co`: the root is null).
/// With `root` only `co` is meant.
namespace link_field {
inline constexpr std::uint8_t left = 1, right = 2, parent = 4, color = 8, root = 16;
}

struct EventRow {
    std::string_view name;  ///< of the kind, or of the field
    FieldType type = FieldType::heading;
    bool required = false;
    Place place = Place::nowhere;
    std::string_view meaning;
    std::span<const std::string_view> words{};  ///< of a field of type `word`; an empty word means that it is left out
    std::uint8_t when = 0;    ///< the field is there when Event::e1 has this bit; 0: when its value is not absent
    std::uint8_t unless = 0;  ///< the field is left out when Event::e1 has this bit
    /// Of a heading: exactly one of these two fields must be there; empty if the kind has no such rule.
    std::array<std::string_view, 2> either{};
    bool marked = false;  ///< of a heading: drawn as a mark on the lane of its coroutine or machine
};

namespace event_table {
constexpr EventRow event(std::string_view name, std::string_view meaning, std::array<std::string_view, 2> either = {}) {
    return {name, FieldType::heading, false, Place::nowhere, meaning, {}, 0, 0, either};
}
constexpr EventRow marked(std::string_view name, std::string_view meaning) {
    EventRow row = event(name, meaning);
    row.marked = true;
    return row;
}
constexpr EventRow must(std::string_view name, FieldType type, Place place, std::string_view meaning) {
    return {name, type, true, place, meaning};
}
constexpr EventRow may(std::string_view name, FieldType type, Place place, std::string_view meaning,
                       std::uint8_t when = 0, std::uint8_t unless = 0) {
    return {name, type, false, place, meaning, {}, when, unless};
}
template <class E>
constexpr EventRow must(std::string_view name, Place place, std::string_view meaning) {
    return {name, FieldType::word, true, place, meaning, kWords<E>};
}
template <class E>
constexpr EventRow may(std::string_view name, Place place, std::string_view meaning, std::uint8_t when = 0,
                       std::uint8_t unless = 0) {
    return {name, FieldType::word, false, place, meaning, kWords<E>, when, unless};
}

using enum FieldType;

/// A heading for each kind, and below it the fields in the order in which the recorder writes them.
inline constexpr auto kRows = std::to_array<EventRow>({
    event("spawn", "A coroutine exists. Its state is `new`; a `thread` is `running` on `m`."),
    must("co", coroutine, Place::co, "its number"),
    may("parent", coroutine, Place::other, "the coroutine that made it"),
    must<CoKind>("kind", Place::e1, "what it is; `thread` is the context that an OS thread was born with"),
    must("name", text, Place::text, "its name"),
    may("stack", integer, Place::x, "bytes of its stack"),
    may<Backend>("backend", Place::e2, "how its context is switched"),
    may("reuses", coroutine, Place::y, "the coroutine whose memory it takes over"),

    event("switch", "Control leaves `from`, which is now in state `left`, and enters `to`, which is now `running`."),
    must("from", coroutine, Place::co, "the coroutine that is left"),
    must("to", coroutine, Place::other, "the coroutine that is entered"),
    must<Why>("why", Place::e1,
              "`start` is the first entry of `to`, `swap` a symmetric switch; a `jump` does not save `from`"),
    must<State>("left", Place::e2, "the state of `from` from now on"),
    may("until", integer, Place::x, "ns since the trace began, when `from` sleeps, or waits with a limit"),
    may("reason", text, Place::text, "why: a text with places for values, or the program's own words"),
    may("values", text, Place::values, "the values in the places of the text before it, a tab between each two"),
    may("saved", registers, Place::nowhere, "the registers of `from`, see below"),
    may("loaded", registers, Place::nowhere, "the registers of `to`, see below"),

    event("state", "A coroutine changes its state without a switch."),
    must("co", coroutine, Place::co, "which coroutine"),
    must<State>("from", Place::e1, "the state that it was in"),
    must<State>("to", Place::e2, "the state that it is in now"),
    may<Cause>("cause", Place::e3, "what made it change"),
    may("error", text, Place::text, "the text of the exception that ended it"),
    may("values", text, Place::values, "its values"),

    event("set", "Declares a set before its first use."),
    must("set", FieldType::set, Place::set, "its name"),
    must<Role>("role", Place::e1, "what its members wait for"),
    must<Structure>("structure", Place::e2, "how it is kept"),
    may("key", text, Place::key, "what orders it, in words, with the unit: \"deadline, ns\""),
    may("owner", FieldType::machine, Place::x, "the machine that it belongs to"),
    may("slots", count, Place::y, "of a wheel: how many slots it has"),
    may("title", text, Place::text, "its name as a text with places: \"runnable of machine {0}\""),
    may("values", text, Place::values, "its values"),

    event("insert",
          "A coroutine or timer becomes a member of a set. One may be in one set under several keys (a coroutine that "
          "polls many descriptors).",
          {"co", "timer"}),
    must("set", FieldType::set, Place::set, "the set"),
    may("co", coroutine, Place::co, "the coroutine"),
    may("timer", FieldType::timer, Place::other, "the timer"),
    may("key", text, Place::text, "the key that it is kept under"),
    may("at", integer, Place::x,
        "in a queue the place to insert before, from 0, and without it the end; elsewhere where it is (place, slot or "
        "level)"),

    event("remove", "A coroutine or timer leaves a set.", {"co", "timer"}),
    must("set", FieldType::set, Place::set, "the set"),
    may("co", coroutine, Place::co, "the coroutine"),
    may("timer", FieldType::timer, Place::other, "the timer"),
    may("key", text, Place::text, "the same key as in its `insert`"),
    may("at", integer, Place::x, "where it was"),

    event("move", "An element of a heap or wheel changes place.", {"co", "timer"}),
    must("set", FieldType::set, Place::set, "the set"),
    may("co", coroutine, Place::co, "the coroutine"),
    may("timer", FieldType::timer, Place::other, "the timer"),
    must("at", integer, Place::x, "where it is now"),

    event("hand", "A wheel's hand points to another slot; before its first `hand`, to slot 0."),
    must("set", FieldType::set, Place::set, "the wheel"),
    must("at", integer, Place::x, "the slot"),

    event("link",
          "Fields of a tree's node were written, or its root. Nodes are timers in a set of role `timer`, else "
          "coroutines. The links of an operation come before its `insert` or `remove`; there the shape is whole.",
          {"node", "root"}),
    must("set", FieldType::set, Place::set, "the set whose tree it is"),
    may("root", node_or_null, Place::co, "the root of the tree now", link_field::root),
    may("node", FieldType::node, Place::co, "the node that was written", 0, link_field::root),
    may("left", node_or_null, Place::x, "its left child now", link_field::left, link_field::root),
    may("right", node_or_null, Place::y, "its right child now", link_field::right, link_field::root),
    may("parent", node_or_null, Place::other, "its parent now", link_field::parent, link_field::root),
    may<Color>("color", Place::e2, "its colour now", link_field::color, link_field::root),

    event("own", "The owner of a shared stack changes."),
    must("stack", shared_stack, Place::set, "the shared stack"),
    must("co", coroutine_or_null, Place::co, "the coroutine whose bytes lie there now"),

    event("copy", "The content of a shared stack is saved or restored."),
    must("co", coroutine, Place::co, "the coroutine whose bytes they are"),
    must<Direction>("dir", Place::e1, "`out` saves, `in` restores"),
    must("bytes", integer, Place::x, "how many"),
    may("capacity", integer, Place::y, "bytes of the buffer that keeps them"),
    must("stack", shared_stack, Place::set, "the shared stack"),

    marked("access",
           "A coroutine reads or writes through an address into a shared stack. The first access at an offset shows "
           "whose the address is; a later one that meets another's bytes is the hazard."),
    must("co", coroutine, Place::co, "the coroutine that reads or writes"),
    must("stack", shared_stack, Place::set, "the shared stack"),
    must("offset", integer, Place::x, "where in the stack"),
    must("owner", coroutine_or_null, Place::other, "the coroutine whose bytes lie there at that moment"),

    event("stack", "The memory of a private stack."),
    must("co", coroutine, Place::co, "whose stack"),
    must<StackOp>("op", Place::e1, "`reuse` is one that an earlier coroutine had"),
    must("bytes", integer, Place::x, "how many"),

    event("io", "One step of a call for input or output."),
    must("co", coroutine, Place::co, "the coroutine that calls"),
    must("fd", descriptor, Place::set, "the descriptor; -1 where there is none"),
    must("op", text, Place::text, "the call: `read`, `accept`, …"),
    must<IoPhase>("phase", Place::e1, "which step"),
    may<Want>("want", Place::e2, "what it waits for"),
    may("deadline", integer, Place::x, "ns since the trace began"),
    may("result", integer, Place::y, "what the call returned"),
    may("errno", count, Place::other, "the error, if it failed"),

    event("poll", "The poller waits, or learns what to wait for."),
    must<PollPhase>("phase", Place::e1, "which step"),
    may("fd", descriptor, Place::set, "of `add`, `mod`, `del`: the descriptor"),
    may("timeout", integer, Place::x, "of `enter`: ns, -1 means forever"),
    may("ready", count, Place::other, "of `leave`: how many events there are"),

    event("timer", "What happens to a timer."),
    must("timer", FieldType::timer, Place::other, "its number"),
    must<TimerOp>("op", Place::e1, "what happens"),
    may("deadline", integer, Place::x,
        "ns since the trace began; of a `fire` only if its clock was set back: from then on it counts as due"),
    may("period", integer, Place::y, "ns, of a timer that recurs"),
    may("co", coroutine, Place::co, "the coroutine that it belongs to"),

    event("machine", "A thread of a scheduler that has several."),
    must<MachineOp>("op", Place::e1,
                    "what it does; from `call` to `return` a call of its task blocks it, from `wait` to `take` it "
                    "waits for a lock"),
    may("victim", FieldType::machine, Place::other, "of `steal` and `give`: the machine from which it takes"),
    may("count", integer, Place::x, "of `steal`: how many tasks"),
    may("to", FieldType::machine, Place::y, "of `give`: the machine that has the sets of `victim` from now on"),
    may("object", text, Place::text,
        "of `wait` and `take`: the lock; of `park` and `unpark`: what the thread waits for, if it is not a task"),
    may("values", text, Place::values, "its values"),

    event("lock", "A lock or condition variable."),
    must("co", coroutine, Place::co, "the coroutine that uses it"),
    must("object", text, Place::text, "its name"),
    must<LockOp>("op", Place::e1,
                 "what is done; by a `timeout` it waits no more and does not have it, whatever ended its wait"),
    must<LockMode>("mode", Place::e2, "`read` and `write` of a lock for several readers; `cond`: a condition variable"),

    event("defer", "A deferred call of a task."),
    must("co", coroutine, Place::co, "the task"),
    must<DeferOp>("op", Place::e1, "it is put down, or run"),
    must("n", integer, Place::x, "which one, from 1"),
    may("frame", text, Place::text, "of an interpreter's coroutine: the function at whose return it is run"),

    event(
        "frame",
        "The frames of a coroutine of an interpreter or of C++20: what it keeps in the heap where others have a native "
        "stack."),
    must("co", coroutine, Place::co, "whose frames"),
    must<FrameOp>("op", Place::e1,
                  "a `call` enters a function, also a deferred one when its frame is left; a `return` takes off the "
                  "innermost and those that only waited for it, a `fail` too, with what failed; `at`: how they are "
                  "when it leaves"),
    must("frames", text, Place::text,
         "all of them now, the innermost first, each with its function, the instruction at which it is or goes on, and "
         "its locals: \"visit+3 n=2; main+7 i=0\"; of C++20 the line of its co_await, and no locals: \"visit:17; "
         "main:31\"; "
         "\"none\" when the last one is gone"),

    marked("fault", "A stack overflow, a signal."),
    may("co", coroutine, Place::co, "the coroutine that was running"),
    must("text", text, Place::text, "what happened"),
    may("values", text, Place::values, "its values"),

    marked("note", "The program's own words."),
    may("co", coroutine, Place::co, "the coroutine that says it"),
    must("text", text, Place::text, "the words"),
    may("values", text, Place::values, "its values"),

    event("choice", "An explorer chose which machine goes on, or when the others see what this one stores."),
    must("n", integer, Place::x, "the number of the choice point in the schedule, from 1"),
    must<Turn>("turn", Place::e1,
               "`preemption` takes the turn from a machine that could go on; `seen_…` is about a store"),
    must("next", FieldType::machine, Place::other, "the machine that goes on"),
    may("others", text, Place::text, "the machines that could have gone on instead: \"0, 2\""),

    event("name", "A coroutine has another name. It applies to the whole trace; the last one counts."),
    must("co", coroutine, Place::co, "the coroutine"),
    must("name", text, Place::text, "its name"),
});

constexpr std::array<std::size_t, kKinds + 1> headings() {
    std::array<std::size_t, kKinds + 1> rows{};
    std::size_t kind = 0;
    for (std::size_t row = 0; row < kRows.size(); ++row)
        if (kRows[row].type == FieldType::heading) rows.at(kind++) = row;
    rows.at(kind) = kRows.size();
    return rows;
}
inline constexpr auto kHeadings = headings();
static_assert(kHeadings[kKinds] == kRows.size(), "each kind has a heading");

constexpr std::array<std::string_view, kKinds> names_of_kinds() {
    std::array<std::string_view, kKinds> names;
    for (std::size_t kind = 0; kind < kKinds; ++kind) names[kind] = kRows[kHeadings[kind]].name;
    return names;
}
}  // namespace event_table

template <>
inline constexpr std::array kWords<Kind> = event_table::names_of_kinds();

/// The row that heads a kind.
constexpr const EventRow& heading_of(Kind kind) noexcept {
    return event_table::kRows[event_table::kHeadings[static_cast<std::size_t>(kind)]];
}
/// The fields of a kind, in the order in which the recorder writes them. All kinds have `t`, `m` and `ev` besides.
constexpr std::span<const EventRow> fields_of(Kind kind) noexcept {
    const auto k = static_cast<std::size_t>(kind);
    return std::span(event_table::kRows)
        .subspan(event_table::kHeadings[k] + 1, event_table::kHeadings[k + 1] - event_table::kHeadings[k] - 1);
}
constexpr bool has_field(Kind kind, std::string_view name) noexcept {
    for (const EventRow& row : fields_of(kind))
        if (row.name == name) return true;
    return false;
}

/// The field of that name of a kind, which must have one. By value: with a sanitizer g++ 12 takes no comparison of
/// addresses for a constant.
constexpr EventRow field_of(Kind kind, std::string_view name) noexcept {
    for (const EventRow& row : fields_of(kind))
        if (row.name == name) return row;
    return {};
}

}  // namespace fiberscope::trace
