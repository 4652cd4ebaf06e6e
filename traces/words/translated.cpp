#include "traces/words/translated.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "traces/schema/words.h"
#include "traces/words/texts/noted.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

constexpr std::size_t kMostPieces = 4;
using Pieces = std::array<std::string_view, kMostPieces>;

/// Where "{0}", "{1}", "{2}" or "{3}" begins in `pattern`; npos if there is none.
std::size_t place_in(std::string_view pattern) noexcept {
    for (std::size_t at = 0; at + 2 < pattern.size(); ++at)
        if (pattern[at] == '{' && pattern[at + 1] >= '0' && pattern[at + 1] <= '3' && pattern[at + 2] == '}') return at;
    return std::string_view::npos;
}

/// What stands in the places of `pattern` in `text`, each as short as it can be; nothing if it is another sentence.
std::optional<Pieces> values_in(std::string_view pattern, std::string_view text) {
    Pieces values;
    while (true) {
        const std::size_t place = place_in(pattern);
        const std::string_view before = pattern.substr(0, place);
        if (!text.starts_with(before)) return std::nullopt;
        text.remove_prefix(before.size());
        if (place == std::string_view::npos) return text.empty() ? std::optional(values) : std::nullopt;
        const auto number = static_cast<std::size_t>(pattern[place + 1] - '0');
        pattern.remove_prefix(place + 3);
        const std::string_view next = pattern.substr(0, place_in(pattern));
        const bool last = next.size() == pattern.size();
        if (last && !text.ends_with(next)) return std::nullopt;
        const std::size_t end = last ? text.size() - next.size() : text.find(next);
        if (end == std::string_view::npos) return std::nullopt;
        values[number] = text.substr(0, end);
        text.remove_prefix(end);
    }
}

/// "coroutine 3", "timer 7": nothing but a number may follow.
bool names_by_number(FoundText key) noexcept {
    return key == FoundText::b_coroutine || key == FoundText::b_timer || key == FoundText::x_machine;
}
/// "runnable of machine 1": the name of the set, which stays, and whose it is.
bool names_a_set(FoundText key) noexcept { return key >= FoundText::b_of_machine && key <= FoundText::b_of_buffer; }
bool is_number(std::string_view text) noexcept {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The keys of a kind of sentence. The last is the first that is not one of them.
template <class Key>
struct Keys {
    Key first, last;
};
// The names of timers and coroutines, which end the first, begin the second: both say them.
constexpr Keys<FoundText> kSentences{FoundText::r_line, FoundText::x_stores_late},
    kSteps{FoundText::b_timer, FoundText::count};
constexpr Keys<RefusedText> kCalls{RefusedText::u_no_option, RefusedText::count};

template <class Key>
std::string said(std::string_view english, Language language, Keys<Key> among);

/// A value of a sentence about states may be one: "ready". Elsewhere that is the name of a set, or of a coroutine.
std::string value_in(std::string_view value, std::size_t place, FoundText sentence, Language language,
                     Keys<FoundText> among) {
    const bool holds_state = sentence == FoundText::b_illegal_step || sentence == FoundText::b_exits_left ||
                             sentence == FoundText::b_said_to_be;
    if (names_a_set(sentence)) return std::string(value);
    for (std::size_t i = 0; holds_state && place > 0 && i < kWords<State>.size(); ++i)
        if (kWords<State>[i] == value) return state_word(static_cast<State>(i), language);
    // The words of the reader are no sets and no coroutines: "timers" may be the name of one.
    const bool holds_names = sentence >= FoundText::b_event && among.first == FoundText::r_line;
    return said(value, language, holds_names ? Keys<FoundText>{FoundText::b_event, among.last} : among);
}
std::string value_in(std::string_view value, std::size_t, RefusedText, Language language, Keys<RefusedText> among) {
    return said(value, language, among);
}

/// Whether it is this sentence, and not another that only begins like it.
bool fits(FoundText key, const Pieces& values, Language language) {
    if (names_by_number(key)) return is_number(values[0]);
    if (names_a_set(key))
        return values[0].find(' ') == std::string_view::npos && is_number(values[1]) &&
               (key != FoundText::b_of_buffer || is_number(values[2]));
    return key != FoundText::b_in_set || translated(values[1], language) != values[1];
}
bool fits(RefusedText, const Pieces&, Language) noexcept { return true; }

template <class Key>
std::string said(std::string_view english, Language language, Keys<Key> among) {
    if (language == Language::english) return std::string(english);
    for (auto key = among.first; key != among.last; key = static_cast<Key>(static_cast<int>(key) + 1)) {
        const auto values = values_in(text_of(key, Language::english), english);
        if (!values || !fits(key, *values, language)) continue;
        const auto value = [&](std::size_t place) { return value_in((*values)[place], place, key, language, among); };
        return say(language, key, value(0), value(1), value(2), value(3));
    }
    return std::string(english);
}

}  // namespace

std::string translated(std::string_view english, Language language) { return said(english, language, kSentences); }

std::string translated_call(std::string_view english, Language language) { return said(english, language, kCalls); }

std::string translated_step(std::string_view english, Language language) { return said(english, language, kSteps); }

namespace {

std::string told(std::string_view english, Language language, std::span<const Noted> among) {
    if (language == Language::english) return std::string(english);
    for (const Noted& one : among) {
        const auto values = values_in(one.english, english);
        const auto fits = [&](std::string_view value) { return value.data() == nullptr || is_number(value); };
        if (!values || (one.of_numbers && !std::all_of(values->begin(), values->end(), fits))) continue;
        return filled(one.chinese, language, {(*values)[0], (*values)[1], (*values)[2], (*values)[3]});
    }
    return std::string(english);
}

}  // namespace

std::string translated_note(std::string_view english, Language language) { return told(english, language, noted()); }

std::string set_in(std::string_view name, Language language) {
    for (const FoundText whose : {FoundText::b_of_machine, FoundText::b_of_processor, FoundText::b_of_buffer}) {
        const auto values = values_in(text_of(whose, Language::english), name);
        if (values && fits(whose, *values, language))
            return say(language, whose, told((*values)[0], language, set_words()), (*values)[1], (*values)[2]);
    }
    return told(name, language, set_words());
}

std::string order_in(std::string_view key, Language language) { return told(key, language, set_words()); }

std::string name_in(const Trace& trace, std::uint32_t co, Language language) {
    const std::string name = trace.name(co);
    constexpr std::string_view kUnnamed = "coroutine ";
    if (language == Language::english || !name.starts_with(kUnnamed) || !is_number(name.substr(kUnnamed.size())))
        return name;
    return say(language, FoundText::b_coroutine, name.substr(kUnnamed.size()));
}

}  // namespace fiberscope::trace
