// All that the viewer, the trace tool and the explorer say, in the language of the reader. The keys stand in keys/, one
// table for each kind; the words in english/ and chinese/, in a file with the name of its table.
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
template <TextKey Key>
std::string_view text_of(Key key, Language language) noexcept;
/// All texts of all tables, one after the other: for the fonts that must have their characters.
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

/// `text` with the values in their places. In Chinese a space parts a character from a Latin letter or digit.
std::string filled(std::string_view text, Language language, std::initializer_list<Value> values);

template <TextKey Key, class... Values>
std::string say(Language language, Key key, const Values&... values) {
    return filled(text_of(key, language), language, {Value(values)...});
}

}  // namespace fiberscope
