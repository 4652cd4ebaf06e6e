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
/// "event" if the value is "1", else "events"; "{0:number}" is the value (said.h tells what the word is for).
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

/// A value in a text: words, or a whole number.
class Value {
  public:
    Value(std::string_view words) : words_(words) {}
    Value(const std::string& words) : words_(words) {}
    Value(const char* words) : words_(words) {}
    Value(std::integral auto number) : words_(std::to_string(number)) {}
    const std::string& words() const noexcept { return words_; }

  private:
    std::string words_;
};

/// Where the first place of a text begins, a brace and a digit; npos if there is none. Other braces are words.
std::size_t place_in(std::string_view text) noexcept;
/// `text` with the values in their places. In Chinese a space parts a character from a Latin letter or digit.
std::string filled(std::string_view text, Language language, std::span<const Value> values);

template <class... Values>
std::string say(Language language, Text text, const Values&... values) {
    const std::array<Value, sizeof...(Values)> all{Value(values)...};
    return filled(text_of(text, language), language, all);
}

/// For what is English whatever the language (said.h).
template <class... Values>
std::string in_english(Text text, const Values&... values) {
    return say(Language::english, text, values...);
}

}  // namespace fiberscope
