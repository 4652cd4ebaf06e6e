#include "traces/read/event_fields.h"

#include <algorithm>
#include <span>

#include "languages/message.h"

namespace fiberscope::trace {
namespace {

// A row of the table of events and the index of its field name.
struct Rule {
    const EventRow* row;
    Field field;
};

constexpr auto kRules = [] {
    std::array<Rule, event_table::kRows.size()> rules{};
    for (std::size_t i = 0; i < rules.size(); ++i)
        rules[i] = {&event_table::kRows[i], static_cast<Field>(detail::kFieldNames.find(event_table::kRows[i].name))};
    return rules;
}();

std::span<const Rule> rules_of(Kind kind) noexcept {
    const auto k = static_cast<std::size_t>(kind);
    const std::size_t first = event_table::kHeadings[k] + 1;
    return std::span(kRules).subspan(first, event_table::kHeadings[k + 1] - first);
}

std::string list_of(std::span<const std::string_view> words) {
    std::string list;
    for (const std::string_view word : words)
        if (!word.empty()) list += (list.empty() ? "" : ", ") + std::string(word);
    return list;
}

/// The description of valid values for a field of this type.
struct Range {
    std::int64_t least, most;
    bool may_be_null;
    Text in_words;
};

constexpr std::int64_t kLargestId = kNone - 1;

constexpr Range range_of(FieldType type) noexcept {
    switch (type) {
    case FieldType::coroutine:
    case FieldType::timer:
    case FieldType::node: return {0, kLargestId, false, mark("a number from 0")};
    case FieldType::coroutine_or_null:
    case FieldType::node_or_null: return {0, kLargestId, true, mark("a number from 0, or null")};
    case FieldType::machine: return {0, 65535, false, mark("the index of a machine, from 0 to 65535")};
    case FieldType::shared_stack:
    case FieldType::count: return {0, kLargestId, false, mark("an integer from 0")};
    case FieldType::descriptor: return {-1, kLargestId, false, mark("an integer from -1")};
    default: return {kAbsent + 1, INT64_MAX, false, mark("an integer")};
    }
}

Value expected_of(const EventRow& row) {
    switch (row.type) {
    case FieldType::text: return mark("a string");
    case FieldType::set: return mark("the set's name, a string");
    case FieldType::word: return Value::of(message("one of {0}", list_of(row.words)));
    case FieldType::registers: return mark("an object of registers");
    default: return range_of(row.type).in_words;
    }
}

[[noreturn]] void fail(const EventRow& row, Kind kind, bool missing = false) {
    throw FieldError(message(missing ? mark("expected {0} in \"{1}\" of a \"{2}\" event, which has none")
                                     : mark("expected {0} in \"{1}\" of a \"{2}\" event"),
                             expected_of(row), row.name, word(kind)));
}

std::int64_t integer_of(const EventRow& row, const RawField& field, Kind kind) {
    const Range range = range_of(row.type);
    if (field.type == RawType::null && range.may_be_null) return kNone;
    if (field.type != RawType::integer || field.number < range.least || field.number > range.most) fail(row, kind);
    return field.number;
}

std::int64_t word_of(const EventRow& row, const RawField& field, Kind kind) {
    const auto found = field.type == RawType::text && !field.text.empty()
                           ? std::find(row.words.begin(), row.words.end(), field.text)
                           : row.words.end();
    if (found == row.words.end()) fail(row, kind);
    return found - row.words.begin();
}

void apply(const EventRow& row, const RawField& field, Event& event, EventTexts& texts) {
    switch (row.type) {
    case FieldType::text:
    case FieldType::set:
        if (field.type != RawType::text) fail(row, event.kind);
        (row.place == Place::set      ? texts.set
         : row.place == Place::key    ? texts.other
         : row.place == Place::values ? texts.values
                                      : texts.text) = &field.text;
        break;
    case FieldType::word: detail::put(event, row.place, word_of(row, field, event.kind)); break;
    case FieldType::registers:
        if (field.type != RawType::object) fail(row, event.kind);
        break;
    default: detail::put(event, row.place, integer_of(row, field, event.kind));
    }
    event.e1 |= row.when;
}

void check_either(const RawEvent& raw, Kind kind) {
    const auto& [one, other] = heading_of(kind).either;
    if (one.empty() || raw.has(field_of(one)) != raw.has(field_of(other))) return;
    throw FieldError(message("expected either \"{0}\" or \"{1}\" in an event of kind \"{2}\"", one, other, word(kind)));
}

void convert_common(const RawEvent& raw, Event& event) {
    const RawField& t = raw[field("t")];
    if (!raw.has(field("t")) || t.type != RawType::integer || t.number < 0)
        throw FieldError(message("expected a time in nanoseconds, an integer from 0, in \"{0}\"", "t"));
    const RawField& m = raw[field("m")];
    if (!raw.has(field("m")) || m.type != RawType::integer || m.number < 0 || m.number > 65535)
        throw FieldError(message("expected the index of a machine, from 0 to 65535, in \"{0}\"", "m"));
    event.t = static_cast<std::uint64_t>(t.number);
    event.m = static_cast<std::uint16_t>(m.number);
}

}  // namespace

bool convert(const RawEvent& raw, Event& event, EventTexts& texts) {
    if (!raw.has(field("ev")) || raw[field("ev")].type != RawType::text)
        throw FieldError(message("expected the kind of the event, a string, in \"{0}\"", "ev"));
    const auto kind = from_word<Kind>(raw[field("ev")].text);
    if (!kind) return false;
    event = Event{};
    texts = EventTexts{};
    event.kind = *kind;
    convert_common(raw, event);
    for (const auto& [row, name] : rules_of(*kind)) {
        if ((event.e1 & row->unless) != 0) continue;
        const bool there = raw.has(name);
        const bool null_is_absent = there && raw[name].type == RawType::null && !range_of(row->type).may_be_null;
        if (there && !null_is_absent)
            apply(*row, raw[name], event, texts);
        else if (row->required)
            fail(*row, *kind, true);
    }
    check_either(raw, *kind);
    return true;
}

}  // namespace fiberscope::trace
