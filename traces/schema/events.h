// The table of events: the kinds, their fields and meanings. Single source for the writer (traces/record/format.cpp),
// the reader (traces/read/event_fields.cpp), the constructors of events (traces/record/recorder.h), trace.schema.json
// and the table in docs/trace-format.md.
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

/// The type of a field. `heading` marks the row that begins a kind.
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

/// The member of Event that holds a field. A text is stored outside the event: Event::text is its index or its length.
/// Its values, which the next field contains, are the part of that text after the first tab. The reader stores the key
/// of a `set` event in Event::other.
enum class Place : std::uint8_t { nowhere, co, other, set, x, y, e1, e2, e3, text, values, key };

/// The fields written by a `link` event (bits of Event::e1). A null node is kNone (in `co`: the root is null). With
/// `root` only `co` is used.
namespace link_field {
inline constexpr std::uint8_t left = 1, right = 2, parent = 4, color = 8, root = 16;
}

struct EventRow {
    std::string_view name;  ///< of the kind, or of the field
    FieldType type = FieldType::heading;
    bool required = false;
    Place place = Place::nowhere;
    std::string_view meaning;
    std::span<const std::string_view> words{};  ///< for type `word`; an empty word means that the field is omitted
    std::uint8_t when = 0;    ///< the field is present if Event::e1 has this bit; 0: if its value is not absent
    std::uint8_t unless = 0;  ///< the field is omitted if Event::e1 has this bit
    /// For a heading: exactly one of these two fields must be present; empty if the kind has no such rule.
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

/// A heading for each kind, followed by its fields in the order in which the recorder writes them.
inline constexpr auto kRows = std::to_array<EventRow>({
    event("spawn", "A coroutine exists. Its state is `new`; a `thread` is `running` on `m`."),
    must("co", coroutine, Place::co, "its number"),
    may("parent", coroutine, Place::other, "the coroutine that made it"),
    must<CoKind>("kind", Place::e1, "its type; `thread` is an OS thread's original context"),
    must("name", text, Place::text, "its name"),
    may("stack", integer, Place::x, "bytes of its stack"),
    may<Backend>("backend", Place::e2, "how its context is switched"),
    may("reuses", coroutine, Place::y, "the dead coroutine whose memory it reuses"),

    event("switch", "Control leaves `from`, which is now in state `left`, and enters `to`, which is now `running`."),
    must("from", coroutine, Place::co, "the coroutine that is left"),
    must("to", coroutine, Place::other, "the coroutine that is entered"),
    must<Why>("why", Place::e1,
              "`start` is the first entry of `to`, `swap` a symmetric switch; a `jump` does not save `from`"),
    must<State>("left", Place::e2, "the state of `from` from now on"),
    may("until", integer, Place::x, "deadline, ns since the trace began, if `from` sleeps or waits with a limit"),
    may("reason", text, Place::text, "a text with placeholders, or the program's own text"),
    may("values", text, Place::values, "the values of the preceding text's placeholders, separated by tabs"),
    may("saved", registers, Place::nowhere, "the registers of `from`, see below"),
    may("loaded", registers, Place::nowhere, "the registers of `to`, see below"),

    event("state", "A coroutine changes its state without a switch."),
    must("co", coroutine, Place::co, "the coroutine"),
    must<State>("from", Place::e1, "the previous state"),
    must<State>("to", Place::e2, "the new state"),
    may<Cause>("cause", Place::e3, "the cause of the change"),
    may("error", text, Place::text, "the text of the exception that ended it"),
    may("values", text, Place::values, "its values"),

    event("set", "Declares a set before its first use."),
    must("set", FieldType::set, Place::set, "its name"),
    must<Role>("role", Place::e1, "what its members wait for"),
    must<Structure>("structure", Place::e2, "its data structure"),
    may("key", text, Place::key, "the sort key in words, with the unit: \"deadline, ns\""),
    may("owner", FieldType::machine, Place::x, "the machine that it belongs to"),
    may("slots", count, Place::y, "of a wheel: its number of slots"),
    may("title", text, Place::text, "its name as a text with placeholders: \"runnable of machine {0}\""),
    may("values", text, Place::values, "its values"),

    event("insert",
          "A coroutine or timer becomes a member of a set. It may be in one set under several keys (a coroutine that "
          "polls many descriptors).",
          {"co", "timer"}),
    must("set", FieldType::set, Place::set, "the set"),
    may("co", coroutine, Place::co, "the coroutine"),
    may("timer", FieldType::timer, Place::other, "the timer"),
    may("key", text, Place::text, "its key"),
    may("at", integer, Place::x,
        "in a queue the position to insert before, from 0 (default: the end); elsewhere its position, slot or level"),

    event("remove", "A coroutine or timer leaves a set.", {"co", "timer"}),
    must("set", FieldType::set, Place::set, "the set"),
    may("co", coroutine, Place::co, "the coroutine"),
    may("timer", FieldType::timer, Place::other, "the timer"),
    may("key", text, Place::text, "the same key as in its `insert`"),
    may("at", integer, Place::x, "its old position"),

    event("move", "An element of a heap or wheel changes place.", {"co", "timer"}),
    must("set", FieldType::set, Place::set, "the set"),
    may("co", coroutine, Place::co, "the coroutine"),
    may("timer", FieldType::timer, Place::other, "the timer"),
    must("at", integer, Place::x, "its new position"),

    event("hand", "A wheel's hand points to another slot; before its first `hand`, to slot 0."),
    must("set", FieldType::set, Place::set, "the wheel"),
    must("at", integer, Place::x, "the slot"),

    event("link",
          "Fields of a tree's node, or its root, were written. Nodes are timers in a set of role `timer`, else "
          "coroutines. The links of an operation come before its `insert` or `remove`, which completes the tree.",
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
    must("co", coroutine_or_null, Place::co, "the coroutine whose bytes it holds now"),

    event("copy", "The content of a shared stack is saved or restored."),
    must("co", coroutine, Place::co, "the coroutine whose bytes they are"),
    must<Direction>("dir", Place::e1, "`out` saves, `in` restores"),
    must("bytes", integer, Place::x, "their number"),
    may("capacity", integer, Place::y, "bytes of the buffer that holds them"),
    must("stack", shared_stack, Place::set, "the shared stack"),

    marked(
        "access",
        "A coroutine reads or writes through an address into a shared stack. The first access at an offset determines "
        "the owner of the address; a later one that finds another coroutine's bytes is the hazard."),
    must("co", coroutine, Place::co, "the coroutine that reads or writes"),
    must("stack", shared_stack, Place::set, "the shared stack"),
    must("offset", integer, Place::x, "the offset in the stack"),
    must("owner", coroutine_or_null, Place::other, "the coroutine whose bytes are there at that time"),

    event("stack", "The memory of a private stack."),
    must("co", coroutine, Place::co, "the owner of the stack"),
    must<StackOp>("op", Place::e1, "`reuse`: the stack of an earlier coroutine"),
    must("bytes", integer, Place::x, "its size"),

    event("io", "One step of a call for input or output."),
    must("co", coroutine, Place::co, "the coroutine that calls"),
    must("fd", descriptor, Place::set, "the descriptor; -1 if there is none"),
    must("op", text, Place::text, "the call: `read`, `accept`, …"),
    must<IoPhase>("phase", Place::e1, "the step"),
    may<Want>("want", Place::e2, "the awaited event"),
    may("deadline", integer, Place::x, "ns since the trace began"),
    may("result", integer, Place::y, "the result of the call"),
    may("errno", count, Place::other, "the error, if it failed"),

    event("poll", "The poller waits, or its descriptors change."),
    must<PollPhase>("phase", Place::e1, "the step"),
    may("fd", descriptor, Place::set, "of `add`, `mod`, `del`: the descriptor"),
    may("timeout", integer, Place::x, "of `enter`: ns, -1 means forever"),
    may("ready", count, Place::other, "of `leave`: the number of events"),

    event("timer", "An operation on a timer."),
    must("timer", FieldType::timer, Place::other, "its number"),
    must<TimerOp>("op", Place::e1, "the operation"),
    may("deadline", integer, Place::x,
        "ns since the trace began; of a `fire` only if its clock was set back: the time from which it is due"),
    may("period", integer, Place::y, "ns, of a timer that recurs"),
    may("co", coroutine, Place::co, "the coroutine that it belongs to"),

    event("machine", "An operation of one thread of a multi-threaded scheduler."),
    must<MachineOp>("op", Place::e1,
                    "the operation; from `call` to `return` a call of its task blocks it, from `wait` to `take` it "
                    "waits for a lock"),
    may("victim", FieldType::machine, Place::other, "of `steal` and `give`: the machine that loses tasks or sets"),
    may("count", integer, Place::x, "of `steal`: the number of tasks"),
    may("to", FieldType::machine, Place::y, "of `give`: the new owner of the sets of `victim`"),
    may("object", text, Place::text,
        "of `wait` and `take`: the lock; of `park` and `unpark`: what the thread waits for, if it is not a task"),
    may("values", text, Place::values, "its values"),

    event("lock", "An operation on a lock or condition variable."),
    must("co", coroutine, Place::co, "the coroutine that uses it"),
    must("object", text, Place::text, "its name"),
    must<LockOp>("op", Place::e1, "the operation; `timeout` ends a wait without acquiring, for whatever reason"),
    must<LockMode>("mode", Place::e2, "`read` and `write` of a lock for several readers; `cond`: a condition variable"),

    event("defer", "A deferred call of a task."),
    must("co", coroutine, Place::co, "the task"),
    must<DeferOp>("op", Place::e1, "it is registered, or run"),
    must("n", integer, Place::x, "its number, from 1"),
    may("frame", text, Place::text, "of an interpreter's coroutine: the function at whose return it is run"),

    event("frame",
          "The frames of a coroutine of an interpreter or of C++20, which are on the heap instead of a native stack."),
    must("co", coroutine, Place::co, "the owner of the frames"),
    must<FrameOp>("op", Place::e1,
                  "`call` enters a function, or a deferred one when its frame is left; `return` removes the innermost "
                  "frame and those that only waited for it, as does `fail`, with the failed one; `at`: the frames at a "
                  "switch away"),
    must("frames", text, Place::text,
         "all frames, innermost first, each with its function, its current or next instruction, and its locals: "
         "\"visit+3 n=2; main+7 i=0\"; for C++20 the line of its co_await, without locals: \"visit:17; main:31\"; "
         "\"none\" after the last one was removed"),

    marked("fault", "A stack overflow, a signal."),
    may("co", coroutine, Place::co, "the coroutine that was running"),
    must("text", text, Place::text, "what happened"),
    may("values", text, Place::values, "its values"),

    marked("note", "A message of the program."),
    may("co", coroutine, Place::co, "the coroutine that wrote it"),
    must("text", text, Place::text, "the message"),
    may("values", text, Place::values, "its values"),

    event("choice", "An explorer chose the machine to run next, or when the others see a store of this one."),
    must("n", integer, Place::x, "the number of the choice point in the schedule, from 1"),
    must<Turn>("turn", Place::e1, "`preemption` interrupts a machine that could continue; `seen_…` is about a store"),
    must("next", FieldType::machine, Place::other, "the machine that runs next"),
    may("others", text, Place::text, "the machines that could have run instead: \"0, 2\""),

    event("name", "Renames a coroutine, for the whole trace; the last one counts."),
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

/// The heading of a kind.
constexpr const EventRow& heading_of(Kind kind) noexcept {
    return event_table::kRows[event_table::kHeadings[static_cast<std::size_t>(kind)]];
}
/// The fields of a kind, in the order in which the recorder writes them. All kinds also have `t`, `m` and `ev`.
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

/// The field of that name of a kind, which must have one. Returned by value: with a sanitizer, g++ 12 does not accept
/// the comparison of addresses as a constant expression.
constexpr EventRow field_of(Kind kind, std::string_view name) noexcept {
    for (const EventRow& row : fields_of(kind))
        if (row.name == name) return row;
    return {};
}

}  // namespace fiberscope::trace
