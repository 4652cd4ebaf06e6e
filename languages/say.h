// Output in the reader's language. The English is written where it is used, the Chinese in the zh.po of its room;
// languages/README.md describes how to add a text.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "languages/language.h"

namespace fiberscope {

/// An English text, and a context that distinguishes it from the same English with another meaning ("ready": a state, a
/// set). Both must be literals. "{0}", "{1}" … are placeholders for values; "{0:event|events}" is "event" if the value
/// is "1", else "events".
struct Text {
    constexpr Text() = default;
    constexpr Text(const char* words, const char* meaning = "") : english(words), context(meaning) {}
    constexpr Text(std::string_view words, std::string_view meaning) : english(words), context(meaning) {}
    constexpr bool empty() const noexcept { return english.empty(); }
    friend constexpr bool operator==(const Text&, const Text&) = default;

    std::string_view english, context;
};

/// Marks a text that is output elsewhere: xgettext finds the texts by these names (update.sh).
constexpr Text mark(const char* english) noexcept { return {english}; }
constexpr Text mark(const char* english, const char* context) noexcept { return {english, context}; }

/// The translation from the catalogue; English if there is none. Valid as long as the program runs.
std::string_view text_of(Text text, Language language);
/// All texts of these rooms, concatenated, to select the characters that fonts need. A room is the folder of a zh.po; a
/// name that ends with '/' means all rooms in that folder.
std::string all_texts(Language language, std::initializer_list<std::string_view> rooms);
/// The texts with this context, in all rooms.
std::string all_texts(Language language, std::string_view context);

namespace detail {
/// Delimiters of a message that is a value of another message.
inline constexpr char kOpen = '\x0e', kClose = '\x0f';

constexpr bool is_message(std::string_view value) noexcept { return value.starts_with(kOpen); }
constexpr std::string_view inside(std::string_view value) noexcept { return value.substr(1, value.size() - 2); }

/// Removes and returns the text, or the next value, of a message.
constexpr std::string_view next_field(std::string_view& rest) noexcept {
    std::size_t end = 0;
    for (int depth = 0; end < rest.size() && (rest[end] != '\t' || depth > 0); ++end)
        depth += (rest[end] == kOpen) - (rest[end] == kClose);
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(end < rest.size() ? end + 1 : end);
    return field;
}

/// The replacement of a placeholder: for "0:event|events" the form that fits the value, else the value.
constexpr std::string_view chosen(std::string_view place, std::string_view value) noexcept {
    const auto bar = place.find('|');
    if (bar == place.npos) return value;
    return value == "1" ? place.substr(2, bar - 2) : place.substr(bar + 1);
}

inline void append(std::string& out, std::string_view words) { out += words; }
template <class Out>
void append(Out& out, std::string_view words) {
    out << words;
}
}  // namespace detail

/// In gettext's format: the English, preceded by a context and U+0004.
inline std::string key_of(Text text) {
    return text.context.empty() ? std::string(text.english)
                                : std::string(text.context) + '\4' + std::string(text.english);
}

/// A value in a text: words, an integer, or a text in the same language.
class Value {
  public:
    /// A message (languages/message.h).
    static Value of(std::string_view message) { return Value(detail::kOpen + std::string(message) + detail::kClose); }
    Value(Text text) : Value(of(key_of(text))) {}
    Value(std::string_view words) : words_(words) {}
    Value(const std::string& words) : words_(words) {}
    Value(const char* words) : words_(words) {}
    Value(std::integral auto number) : words_(std::to_string(number)) {}
    const std::string& words() const noexcept { return words_; }

  private:
    std::string words_;
};

/// The position of the first placeholder of a text, a brace and a digit; npos if there is none. Other braces are
/// literal.
constexpr std::size_t place_in(std::string_view text) noexcept {
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
        if (at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9' && text.find('}', at) != text.npos)
            return at;
    return text.npos;
}
/// Returns `text` with the values inserted. In Chinese a space separates a character from a Latin letter or digit.
std::string filled(std::string_view text, Language language, std::span<const Value> values);

template <class... Values>
std::string say(Language language, Text text, const Values&... values) {
    const std::array<Value, sizeof...(Values)> all{Value(values)...};
    return filled(text_of(text, language), language, all);
}

}  // namespace fiberscope
