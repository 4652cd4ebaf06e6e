#include "traces/record/format.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "traces/record/sets.h"

namespace fiberscope::trace::detail {
namespace {

template <std::size_t N>
struct Literal {
    char text[N];
};

// A field is given by its index in the table of events: clang 14 does not accept a reference to an element as a
// template argument.

/// The text before a field's value: `,"co":`, and with `quote` the opening quote of a string.
template <std::size_t index, bool quote>
constexpr auto key_of() {
    constexpr const EventRow& row = event_table::kRows[index];
    constexpr std::size_t n = row.name.size();
    Literal<n + 5 + (quote ? 1 : 0)> key{};
    char* at = key.text;
    *at++ = ',';
    *at++ = '"';
    for (const char c : row.name) *at++ = c;
    *at++ = '"';
    *at++ = ':';
    if (quote) *at++ = '"';
    return key;
}
template <std::size_t index, bool quote = false>
inline constexpr auto kKey = key_of<index, quote>();

/// The member of an event that holds a number: 64 bits wide for x and y, else 32.
template <Place place>
auto number_at(const Event& e) noexcept {
    if constexpr (place == Place::co) return e.co;
    if constexpr (place == Place::other) return e.other;
    if constexpr (place == Place::set) return e.set;
    if constexpr (place == Place::x) return e.x;
    if constexpr (place == Place::y) return e.y;
}
template <Place place>
std::size_t word_at(const Event& e) noexcept {
    static_assert(place == Place::e1 || place == Place::e2 || place == Place::e3);
    return place == Place::e1 ? e.e1 : place == Place::e2 ? e.e2 : e.e3;
}

template <std::size_t index>
void put_number(Text& out, const Event& e) noexcept {
    constexpr const EventRow& row = event_table::kRows[index];
    const auto value = number_at<row.place>(e);
    constexpr bool wide = sizeof value == sizeof e.x;
    const bool absent = wide ? static_cast<std::int64_t>(value) == kAbsent : static_cast<std::uint32_t>(value) == kNone;
    constexpr bool may_be_null = row.type == FieldType::coroutine_or_null || row.type == FieldType::node_or_null;
    if constexpr (may_be_null) {
        out.put(kKey<index>.text);
        if (absent || static_cast<std::int64_t>(value) == std::int64_t{kNone}) return out.put("null");
    } else {
        if (absent && (wide || !row.required)) return;
        out.put(kKey<index>.text);
        if (row.type == FieldType::descriptor && absent) return out.put("-1");
    }
    out.number(value);
}

template <std::size_t index>
void put_word(Text& out, const Event& e) noexcept {
    constexpr const EventRow& row = event_table::kRows[index];
    const std::size_t value = word_at<row.place>(e);
    if (!row.required && row.when == 0 && value == 0) return;
    out.put(kKey<index, true>.text);
    if (value < row.words.size()) out.put(row.words[value]);
    out.put('"');
}

constexpr bool is_text(const EventRow& row) noexcept { return row.type == FieldType::text; }
constexpr std::size_t texts_before(std::size_t index) noexcept {
    std::size_t count = 0;
    while (event_table::kRows[--index].type != FieldType::heading) count += is_text(event_table::kRows[index]);
    return count;
}
constexpr bool is_last_text(std::size_t index) noexcept {
    while (++index < event_table::kRows.size() && event_table::kRows[index].type != FieldType::heading)
        if (is_text(event_table::kRows[index])) return false;
    return true;
}

/// The texts of an event are stored as one, separated by tabs; the last one extends to the end.
template <std::size_t index>
void put_text(Text& out, std::string_view text) noexcept {
    constexpr const EventRow& row = event_table::kRows[index];
    constexpr std::size_t before = texts_before(index);
    for (std::size_t n = 0; n < before; ++n) {
        const std::size_t tab = text.find('\t');
        text = tab == text.npos ? std::string_view() : text.substr(tab + 1);
    }
    if constexpr (!is_last_text(index)) text = text.substr(0, text.find('\t'));
    if (!row.required && text.empty()) return;
    out.put(kKey<index, true>.text);
    out.escaped(text);
    out.put('"');
}

/// Writes one field, if present. Registers come last, see format().
template <std::size_t index>
void put_field(Text& out, const Stored& s) noexcept {
    constexpr const EventRow& row = event_table::kRows[index];
    if (row.when != 0 && (s.event.e1 & row.when) == 0) return;
    if ((s.event.e1 & row.unless) != 0) return;
    if constexpr (row.type == FieldType::registers) return;
    if constexpr (row.type == FieldType::word) {
        put_word<index>(out, s.event);
    } else if constexpr (row.type == FieldType::text) {
        put_text<index>(out, s.text);
    } else if constexpr (row.type == FieldType::set) {
        out.put(kKey<index, true>.text);
        out.put(sets::escaped_name(s.event.set));
        out.put('"');
    } else if constexpr (row.type != FieldType::registers) {
        put_number<index>(out, s.event);
    }
}

template <std::size_t kind>
constexpr auto beginning_of() {
    constexpr std::string_view name = kWords<Kind>[kind];
    Literal<name.size() + 9> text{};
    char* at = text.text;
    for (const char c : std::string_view(",\"ev\":\"")) *at++ = c;
    for (const char c : name) *at++ = c;
    *at = '"';
    return text;
}
template <std::size_t kind>
inline constexpr auto kBeginning = beginning_of<kind>();

// Flattened, and with a cursor of its own that nothing else can change: see Text. Returns the end of its output.
template <std::size_t kind>
[[gnu::flatten]] char* put_without_registers(char* at, std::size_t room, const Stored& stored) noexcept {
    using event_table::kHeadings;
    Text out(at, room);
    out.put("{\"t\":");
    out.number(stored.event.t);
    out.put(",\"m\":");
    out.number(stored.event.m);
    out.put(kBeginning<kind>.text);
    [&]<std::size_t... n>(std::index_sequence<n...>) { (put_field<kHeadings[kind] + 1 + n>(out, stored), ...); }
    (std::make_index_sequence<kHeadings[kind + 1] - kHeadings[kind] - 1>());
    return out.at();
}

using Writer = char* (*)(char*, std::size_t, const Stored&) noexcept;
constexpr auto kWriters = []<std::size_t... kind>(std::index_sequence<kind...>) {
    return std::array<Writer, kKinds>{put_without_registers<kind>...};
}
(std::make_index_sequence<kKinds>());

}  // namespace

void format(Text& out, const Stored& stored, AddressWords& words) noexcept {
    const Writer writer = kWriters[static_cast<std::size_t>(stored.event.kind)];
    out.move_to(writer(out.at(), out.room(), stored));
    if (stored.registers != nullptr) put_registers(out, *stored.registers, words);
    out.put('}');
}

}  // namespace fiberscope::trace::detail
