// All that the viewer says, in the language of the reader. The texts are in one table for each language: english.cpp,
// chinese.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "traces/words/texts/keys.h"

namespace fiberscope {

enum class Language : std::uint8_t { english, chinese };

/// "en", "zh".
std::optional<Language> language_of(std::string_view word) noexcept;
/// The language of the environment: LC_ALL, else LC_MESSAGES, else LANG; Chinese if that begins with "zh".
Language language_of_environment();

/// The text of the table as it stands. "{0}", "{1}" … stand for values; "{0:event|events}" is "event" if the value is
/// "1", else "events".
std::string_view text_of(T key, Language language) noexcept;
/// All texts of the table, one after the other: for the fonts that must have their characters.
std::string all_texts(Language language);

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

/// The text with the values in their places. In Chinese a space parts a character from a Latin letter or digit.
std::string say_with(Language language, T key, std::initializer_list<Value> values);

template <class... Values>
std::string say(Language language, T key, const Values&... values) {
    return say_with(language, key, {Value(values)...});
}

}  // namespace fiberscope
