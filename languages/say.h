// Says a text in the language of the reader. The English stands where it is used, the Chinese in the zh.po of its room;
// languages/README.md tells how a text is added.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "languages/language.h"

namespace fiberscope {

/// A text in English, and the context that tells it from the same English with another meaning ("ready": a state, a
/// set). Both must live as long as the program: literals. "{0}", "{1}" … stand for values; "{0:event|events}" is
/// "event" if the value is "1", else "events".
struct Text {
    constexpr Text() = default;
    constexpr Text(const char* words, const char* meaning = "") : english(words), context(meaning) {}
    constexpr Text(std::string_view words, std::string_view meaning) : english(words), context(meaning) {}
    constexpr bool empty() const noexcept { return english.empty(); }
    friend constexpr bool operator==(const Text&, const Text&) = default;

    std::string_view english, context;
};

/// A text that is said elsewhere: by these names xgettext finds the texts (update.sh).
constexpr Text mark(const char* english) noexcept { return {english}; }
constexpr Text mark(const char* english, const char* context) noexcept { return {english, context}; }

/// As it stands in the catalogue; English if it has no translation. Lives as long as the program.
std::string_view text_of(Text text, Language language);
/// All that these rooms say, one after the other, for the fonts that must have the characters. A room is the folder of
/// a zh.po; a name that ends with '/' is all rooms in that folder.
std::string all_texts(Language language, std::initializer_list<std::string_view> rooms);
/// The same of the texts with this context, in all rooms.
std::string all_texts(Language language, std::string_view context);

namespace detail {
/// Around a message that is a value of another one.
inline constexpr char kOpen = '\x0e', kClose = '\x0f';

constexpr bool is_message(std::string_view value) noexcept { return value.starts_with(kOpen); }
constexpr std::string_view inside(std::string_view value) noexcept { return value.substr(1, value.size() - 2); }

/// Cuts the text, or the next value, off the rest of a message.
constexpr std::string_view next_field(std::string_view& rest) noexcept {
    std::size_t end = 0;
    for (int depth = 0; end < rest.size() && (rest[end] != '\t' || depth > 0); ++end)
        depth += (rest[end] == kOpen) - (rest[end] == kClose);
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(end < rest.size() ? end + 1 : end);
    return field;
}

/// What takes a place: of "0:event|events" the word for this value, else the value.
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

/// As gettext writes it: a context and U+0004 are before the English.
inline std::string key_of(Text text) {
    return text.context.empty() ? std::string(text.english)
                                : std::string(text.context) + '\4' + std::string(text.english);
}

/// A value in a text: words, a whole number, or what is said in the same language as the text.
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

/// Where the first place of a text begins, a brace and a digit; npos if there is none. Other braces are words.
constexpr std::size_t place_in(std::string_view text) noexcept {
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
        if (at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9' && text.find('}', at) != text.npos)
            return at;
    return text.npos;
}
/// `text` with the values in their places. In Chinese a space parts a character from a Latin letter or digit.
std::string filled(std::string_view text, Language language, std::span<const Value> values);

template <class... Values>
std::string say(Language language, Text text, const Values&... values) {
    const std::array<Value, sizeof...(Values)> all{Value(values)...};
    return filled(text_of(text, language), language, all);
}

}  // namespace fiberscope
