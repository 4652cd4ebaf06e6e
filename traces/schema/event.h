// An event in memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "traces/schema/events.h"

namespace fiberscope::trace {

/// One event of any kind, used in the recorder's buffers and in the reader's columns. The meaning of each member
/// depends on the kind and is defined by the table in events.h. Absent values are kNone and kAbsent. e3 is also 1 in a
/// `link` whose nodes are timers (set by the reader), and in a `switch` with registers (set by the recorder).
struct Event {
    std::uint64_t t = 0;  ///< nanoseconds since the trace began
    std::int64_t x = kAbsent;
    std::int64_t y = kAbsent;
    std::uint32_t co = kNone;
    std::uint32_t other = kNone;
    std::uint32_t set = kNone;   ///< index of a set, of a shared stack, or a descriptor
    std::uint32_t text = kNone;  ///< reader: index into its strings; recorder: length of the text that follows
    std::uint16_t m = 0;         ///< machine: index of the OS thread
    Kind kind = Kind::note;
    std::uint8_t e1 = 0;
    std::uint8_t e2 = 0;
    std::uint8_t e3 = 0;

    template <class E>
    constexpr E first() const noexcept {
        return static_cast<E>(e1);
    }
    template <class E>
    constexpr E second() const noexcept {
        return static_cast<E>(e2);
    }
    template <class E>
    constexpr E third() const noexcept {
        return static_cast<E>(e3);
    }
};
static_assert(sizeof(Event) == 48);

namespace detail {
constexpr void put(Event& e, Place place, std::int64_t value) noexcept {
    const auto narrow = static_cast<std::uint32_t>(value);  // -1, "no descriptor", becomes kNone
    const auto byte = static_cast<std::uint8_t>(value);
    switch (place) {
    case Place::co: e.co = narrow; break;
    case Place::other: e.other = narrow; break;
    case Place::set: e.set = narrow; break;
    case Place::x: e.x = value; break;
    case Place::y: e.y = value; break;
    case Place::e1: e.e1 = byte; break;
    case Place::e2: e.e2 = byte; break;
    case Place::e3: e.e3 = byte; break;
    case Place::nowhere:
    case Place::text:
    case Place::values:
    case Place::key: break;
    }
}

/// A field's name as a template argument.
template <std::size_t N>
struct FieldName {
    constexpr FieldName(const char (&name)[N]) {  // NOLINT: implicit conversion from a literal is intended
        for (std::size_t i = 0; i < N; ++i) text[i] = name[i];
    }
    constexpr std::string_view view() const { return {text, N - 1}; }
    char text[N]{};
};

template <Kind kind, FieldName name, class Value>
constexpr void put(Event& e, Value value) noexcept {
    static_assert(has_field(kind, name.view()), "the table of events has no such field of this kind");
    constexpr EventRow row = field_of(kind, name.view());
    static_assert((row.type == FieldType::word) == std::is_enum_v<Value>);
    if constexpr (std::is_enum_v<Value>) static_assert(row.words.data() == kWords<Value>.data(), "another's words");
    put(e, row.place, static_cast<std::int64_t>(value));
}
}  // namespace detail

/// An event of a kind with the fields of these names and values: `event_of<Kind::own, "stack", "co">(0, 7)`. A value is
/// a number (kNone or kAbsent: absent) or an enumerator.
template <Kind kind, detail::FieldName... names, class... Values>
constexpr Event event_of(Values... values) noexcept {
    Event e;
    e.kind = kind;
    (detail::put<kind, names>(e, values), ...);
    return e;
}

}  // namespace fiberscope::trace
