#include "traces/read/event_fields.h"

#include <algorithm>
#include <span>

namespace fiberscope::trace {
namespace {

enum class Type : std::uint8_t { id, id_or_null, machine, integer, index, signed_index, text, set, word, registers };
enum class To : std::uint8_t { nowhere, co, other, set, x, y, e1, e2, e3, text, other_text };

using ParseWord = int (*)(std::string_view);
template <class E>
int parse_word(std::string_view text) {
    const auto found = from_word<E>(text);
    return found ? static_cast<int>(*found) : -1;
}
template <class E>
std::string list_words() {
    std::string list;
    for (const std::string_view word : kWords<E>)
        if (!word.empty()) list += (list.empty() ? "" : ", ") + std::string(word);
    return list;
}

struct Rule {
    Kind kind;
    Field field;
    bool required;
    Type type;
    To to;
    ParseWord parse = nullptr;
    std::string (*words)() = nullptr;
};
template <class E>
constexpr Rule word_rule(Kind kind, Field field, bool required, To to) {
    return {kind, field, required, Type::word, to, parse_word<E>, list_words<E>};
}
constexpr bool kMust = true, kMay = false;

// In the order of Kind, so that the rules of a kind stand together.
constexpr Rule kRules[] = {
    {Kind::spawn, Field::co, kMust, Type::id, To::co},
    word_rule<CoKind>(Kind::spawn, Field::kind, kMust, To::e1),
    {Kind::spawn, Field::name, kMust, Type::text, To::text},
    {Kind::spawn, Field::parent, kMay, Type::id, To::other},
    {Kind::spawn, Field::stack, kMay, Type::integer, To::x},
    word_rule<Backend>(Kind::spawn, Field::backend, kMay, To::e2),
    {Kind::spawn, Field::reuses, kMay, Type::id, To::y},

    {Kind::switch_, Field::from, kMust, Type::id, To::co},
    {Kind::switch_, Field::to, kMust, Type::id, To::other},
    word_rule<Why>(Kind::switch_, Field::why, kMust, To::e1),
    word_rule<State>(Kind::switch_, Field::left, kMust, To::e2),
    {Kind::switch_, Field::until, kMay, Type::integer, To::x},
    {Kind::switch_, Field::reason, kMay, Type::text, To::text},
    {Kind::switch_, Field::saved, kMay, Type::registers, To::nowhere},
    {Kind::switch_, Field::loaded, kMay, Type::registers, To::nowhere},

    {Kind::state, Field::co, kMust, Type::id, To::co},
    word_rule<State>(Kind::state, Field::from, kMust, To::e1),
    word_rule<State>(Kind::state, Field::to, kMust, To::e2),
    word_rule<Cause>(Kind::state, Field::cause, kMay, To::e3),
    {Kind::state, Field::error, kMay, Type::text, To::text},

    {Kind::set, Field::set, kMust, Type::set, To::set},
    word_rule<Role>(Kind::set, Field::role, kMust, To::e1),
    word_rule<Structure>(Kind::set, Field::structure, kMust, To::e2),
    {Kind::set, Field::key, kMay, Type::text, To::other_text},
    {Kind::set, Field::owner, kMay, Type::machine, To::x},
    {Kind::set, Field::slots, kMay, Type::index, To::y},

    {Kind::insert, Field::set, kMust, Type::set, To::set},
    {Kind::insert, Field::co, kMay, Type::id, To::co},
    {Kind::insert, Field::timer, kMay, Type::id, To::other},
    {Kind::insert, Field::key, kMay, Type::text, To::text},
    {Kind::insert, Field::at, kMay, Type::integer, To::x},

    {Kind::remove, Field::set, kMust, Type::set, To::set},
    {Kind::remove, Field::co, kMay, Type::id, To::co},
    {Kind::remove, Field::timer, kMay, Type::id, To::other},
    {Kind::remove, Field::key, kMay, Type::text, To::text},
    {Kind::remove, Field::at, kMay, Type::integer, To::x},

    {Kind::move, Field::set, kMust, Type::set, To::set},
    {Kind::move, Field::co, kMay, Type::id, To::co},
    {Kind::move, Field::timer, kMay, Type::id, To::other},
    {Kind::move, Field::at, kMust, Type::integer, To::x},

    {Kind::hand, Field::set, kMust, Type::set, To::set},
    {Kind::hand, Field::at, kMust, Type::integer, To::x},

    {Kind::link, Field::set, kMust, Type::set, To::set},
    {Kind::link, Field::node, kMay, Type::id, To::co},
    {Kind::link, Field::root, kMay, Type::id_or_null, To::co},
    {Kind::link, Field::left, kMay, Type::id_or_null, To::x},
    {Kind::link, Field::right, kMay, Type::id_or_null, To::y},
    {Kind::link, Field::parent, kMay, Type::id_or_null, To::other},
    word_rule<Color>(Kind::link, Field::color, kMay, To::e2),

    {Kind::own, Field::stack, kMust, Type::index, To::set},
    {Kind::own, Field::co, kMust, Type::id_or_null, To::co},

    {Kind::copy, Field::co, kMust, Type::id, To::co},
    word_rule<Direction>(Kind::copy, Field::dir, kMust, To::e1),
    {Kind::copy, Field::bytes, kMust, Type::integer, To::x},
    {Kind::copy, Field::capacity, kMay, Type::integer, To::y},
    {Kind::copy, Field::stack, kMust, Type::index, To::set},

    {Kind::access, Field::co, kMust, Type::id, To::co},
    {Kind::access, Field::stack, kMust, Type::index, To::set},
    {Kind::access, Field::offset, kMust, Type::integer, To::x},
    {Kind::access, Field::owner, kMust, Type::id_or_null, To::other},

    {Kind::stack, Field::co, kMust, Type::id, To::co},
    word_rule<StackOp>(Kind::stack, Field::op, kMust, To::e1),
    {Kind::stack, Field::bytes, kMust, Type::integer, To::x},

    {Kind::io, Field::co, kMust, Type::id, To::co},
    {Kind::io, Field::fd, kMust, Type::signed_index, To::set},
    {Kind::io, Field::op, kMust, Type::text, To::text},
    word_rule<IoPhase>(Kind::io, Field::phase, kMust, To::e1),
    word_rule<Want>(Kind::io, Field::want, kMay, To::e2),
    {Kind::io, Field::deadline, kMay, Type::integer, To::x},
    {Kind::io, Field::result, kMay, Type::integer, To::y},
    {Kind::io, Field::errno_, kMay, Type::index, To::other},

    word_rule<PollPhase>(Kind::poll, Field::phase, kMust, To::e1),
    {Kind::poll, Field::fd, kMay, Type::signed_index, To::set},
    {Kind::poll, Field::timeout, kMay, Type::integer, To::x},
    {Kind::poll, Field::ready, kMay, Type::index, To::other},

    {Kind::timer, Field::timer, kMust, Type::id, To::other},
    word_rule<TimerOp>(Kind::timer, Field::op, kMust, To::e1),
    {Kind::timer, Field::deadline, kMay, Type::integer, To::x},
    {Kind::timer, Field::period, kMay, Type::integer, To::y},
    {Kind::timer, Field::co, kMay, Type::id, To::co},

    word_rule<MachineOp>(Kind::machine, Field::op, kMust, To::e1),
    {Kind::machine, Field::victim, kMay, Type::machine, To::other},
    {Kind::machine, Field::count, kMay, Type::integer, To::x},

    {Kind::lock, Field::co, kMust, Type::id, To::co},
    {Kind::lock, Field::object, kMust, Type::text, To::text},
    word_rule<LockOp>(Kind::lock, Field::op, kMust, To::e1),
    word_rule<LockMode>(Kind::lock, Field::mode, kMust, To::e2),

    {Kind::defer, Field::co, kMust, Type::id, To::co},
    word_rule<DeferOp>(Kind::defer, Field::op, kMust, To::e1),
    {Kind::defer, Field::n, kMust, Type::integer, To::x},

    {Kind::fault, Field::co, kMay, Type::id, To::co},
    {Kind::fault, Field::text, kMust, Type::text, To::text},

    {Kind::note, Field::text, kMust, Type::text, To::text},
    {Kind::note, Field::co, kMay, Type::id, To::co},
};

constexpr std::size_t kKinds = kWords<Kind>.size();

constexpr std::array<std::uint8_t, kKinds + 1> rule_begins() {
    std::array<std::uint8_t, kKinds + 1> begins{};
    std::size_t rule = 0;
    for (std::size_t kind = 0; kind <= kKinds; ++kind) {
        while (rule < std::size(kRules) && static_cast<std::size_t>(kRules[rule].kind) < kind) ++rule;
        begins[kind] = static_cast<std::uint8_t>(rule);
    }
    return begins;
}
constexpr auto kBegins = rule_begins();

std::span<const Rule> rules_of(Kind kind) noexcept {
    const auto k = static_cast<std::size_t>(kind);
    return std::span(kRules).subspan(kBegins[k], static_cast<std::size_t>(kBegins[k + 1] - kBegins[k]));
}

std::string expected_of(const Rule& rule) {
    switch (rule.type) {
    case Type::id: return "a number from 0";
    case Type::id_or_null: return "a number from 0, or null";
    case Type::machine: return "the index of a machine, from 0 to 65535";
    case Type::integer: return "an integer";
    case Type::index: return "an integer from 0";
    case Type::signed_index: return "an integer from -1";
    case Type::text: return "a string";
    case Type::set: return "the set's name, a string";
    case Type::word: return "one of " + rule.words();
    case Type::registers: return "an object of registers";
    }
    return "something else";
}

[[noreturn]] void fail(const Rule& rule, bool missing) {
    throw FieldError("expected " + expected_of(rule) + " in \"" + std::string(name_of(rule.field)) + "\" of a \"" +
                     std::string(word(rule.kind)) + "\" event" + (missing ? ", which has none" : ""));
}

constexpr std::int64_t kLargestId = kNone - 1;

std::int64_t integer_of(const Rule& rule, const RawField& field) {
    if (field.type == RawType::null && rule.type == Type::id_or_null) return kNone;
    const bool any = rule.type == Type::integer;
    const std::int64_t least = any ? kAbsent + 1 : rule.type == Type::signed_index ? -1 : 0;
    const std::int64_t most = any ? INT64_MAX : rule.type == Type::machine ? 65535 : kLargestId;
    if (field.type != RawType::integer || field.number < least || field.number > most) fail(rule, false);
    return field.number;
}

void store(Event& event, To to, std::int64_t value) {
    const auto narrow = static_cast<std::uint32_t>(value);  // -1, "no descriptor", becomes kNone
    const auto byte = static_cast<std::uint8_t>(value);
    switch (to) {
    case To::co: event.co = narrow; break;
    case To::other: event.other = narrow; break;
    case To::set: event.set = narrow; break;
    case To::x: event.x = value; break;
    case To::y: event.y = value; break;
    case To::e1: event.e1 = byte; break;
    case To::e2: event.e2 = byte; break;
    case To::e3: event.e3 = byte; break;
    case To::nowhere:
    case To::text:
    case To::other_text: break;
    }
}

void apply(const Rule& rule, const RawField& field, Event& event, EventTexts& texts) {
    switch (rule.type) {
    case Type::text:
    case Type::set:
        if (field.type != RawType::text) fail(rule, false);
        (rule.type == Type::set ? texts.set : rule.to == To::text ? texts.text : texts.other) = &field.text;
        break;
    case Type::word: {
        const int value = field.type == RawType::text ? rule.parse(field.text) : -1;
        if (value < 0) fail(rule, false);
        store(event, rule.to, value);
        break;
    }
    case Type::registers:
        if (field.type != RawType::object) fail(rule, false);
        break;
    default: store(event, rule.to, integer_of(rule, field));
    }
}

void check_item(const RawEvent& raw, const Event& event) {
    if (raw.has(Field::co) == raw.has(Field::timer))
        throw FieldError("expected either \"co\" or \"timer\" in an event \"" + std::string(word(event.kind)) + "\"");
}

void finish_link(const RawEvent& raw, Event& event) {
    if (raw.has(Field::node) == raw.has(Field::root))
        throw FieldError("expected either \"node\" or \"root\" in a \"link\" event");
    const auto bit = [&](Field field, std::uint8_t mask) { return raw.has(field) ? mask : std::uint8_t{0}; };
    event.e1 =
        raw.has(Field::root)
            ? link_field::root
            : static_cast<std::uint8_t>(bit(Field::left, link_field::left) | bit(Field::right, link_field::right) |
                                        bit(Field::parent, link_field::parent) | bit(Field::color, link_field::color));
}

void convert_common(const RawEvent& raw, Event& event) {
    const RawField& t = raw[Field::t];
    if (!raw.has(Field::t) || t.type != RawType::integer || t.number < 0)
        throw FieldError("expected a time in nanoseconds, an integer from 0, in \"t\"");
    const RawField& m = raw[Field::m];
    if (!raw.has(Field::m) || m.type != RawType::integer || m.number < 0 || m.number > 65535)
        throw FieldError("expected the index of a machine, from 0 to 65535, in \"m\"");
    event.t = static_cast<std::uint64_t>(t.number);
    event.m = static_cast<std::uint16_t>(m.number);
}

}  // namespace

bool convert(const RawEvent& raw, Event& event, EventTexts& texts) {
    if (!raw.has(Field::ev) || raw[Field::ev].type != RawType::text)
        throw FieldError("expected the kind of the event, a string, in \"ev\"");
    const auto kind = from_word<Kind>(raw[Field::ev].text);
    if (!kind) return false;
    event = Event{};
    texts = EventTexts{};
    event.kind = *kind;
    convert_common(raw, event);
    for (const Rule& rule : rules_of(*kind)) {
        const bool there = raw.has(rule.field);
        const RawField& field = raw[rule.field];
        const bool null_is_absent = there && field.type == RawType::null && rule.type != Type::id_or_null;
        if (there && !null_is_absent)
            apply(rule, field, event, texts);
        else if (rule.required)
            fail(rule, true);
    }
    if (*kind == Kind::insert || *kind == Kind::remove || *kind == Kind::move) check_item(raw, event);
    if (*kind == Kind::link) finish_link(raw, event);
    return true;
}

}  // namespace fiberscope::trace
