#include "traces/words/texts/say.h"

#include <cstdlib>

#include "traces/words/texts/noted.h"
#include "traces/words/texts/tables.h"

namespace fiberscope {
namespace {

/// A letter or digit, or a sign that belongs to the word before or after it.
bool is_of_word(char c, std::string_view signs) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (byte >= 0xC3 && byte <= 0xDF) || signs.find(c) != std::string_view::npos;
}

/// Whether the text ends with one, or begins with one; letters of Europe have two bytes.
bool ends_as_word(std::string_view text) noexcept {
    const auto size = text.size();
    return is_of_word(text.back(), ")]\"") ||
           (size >= 2 && is_of_word(text[size - 2], "") && static_cast<unsigned char>(text[size - 2]) >= 0xC3);
}
bool begins_as_word(std::string_view text) noexcept { return is_of_word(text.front(), "([\""); }

/// Whether the three bytes at `at` are a character from U+3400 to U+9FFF.
bool is_chinese(std::string_view text, std::size_t at) noexcept {
    if (at + 3 > text.size()) return false;
    const auto byte = static_cast<unsigned char>(text[at]);
    return byte >= 0xE4 ? byte <= 0xE9 : byte == 0xE3 && static_cast<unsigned char>(text[at + 1]) >= 0x90;
}

void join(std::string& text, std::string_view more, Language language) {
    if (language == Language::chinese && !text.empty() && !more.empty()) {
        const bool before = text.size() >= 3 && is_chinese(text, text.size() - 3), after = is_chinese(more, 0);
        if ((before && begins_as_word(more)) || (after && ends_as_word(text))) text += ' ';
    }
    text += more;
}

/// What stands in braces: "0", or "0:event|events".
std::string_view value_of(std::string_view place, std::initializer_list<Value> values) noexcept {
    const auto number = static_cast<std::size_t>(place.front() - '0');
    if (number >= values.size()) return {};
    const std::string& value = values.begin()[number].words();
    if (place.size() == 1) return value;
    const std::string_view words = place.substr(2);
    const auto bar = words.find('|');
    return value == "1" ? words.substr(0, bar) : words.substr(bar + 1);
}

template <TextKey Key>
std::string texts_of_table(Language language) {
    std::string all;
    for (std::size_t i = 0; i < kTexts<Key>; ++i) all += text_of(static_cast<Key>(i), language);
    return all;
}

}  // namespace

std::optional<Language> language_of(std::string_view word) noexcept {
    if (word == "en") return Language::english;
    if (word == "zh") return Language::chinese;
    return std::nullopt;
}

Language language_of_environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return std::string_view(value).starts_with("zh") ? Language::chinese : Language::english;
    return Language::english;
}

template <TextKey Key>
std::string_view text_of(Key key, Language language) noexcept {
    return (language == Language::chinese ? Chinese<Key>::rows : English<Key>::rows)[static_cast<std::size_t>(key)];
}
template std::string_view text_of(ToldText, Language) noexcept;
template std::string_view text_of(DrawnText, Language) noexcept;
template std::string_view text_of(OfferedText, Language) noexcept;
template std::string_view text_of(FoundText, Language) noexcept;
template std::string_view text_of(TypedText, Language) noexcept;
template std::string_view text_of(RefusedText, Language) noexcept;

std::string all_texts(Language language) {
    std::string notes;
    for (const auto& table : {noted(), set_words()})
        for (const Noted& one : table) notes += language == Language::chinese ? one.chinese : one.english;
    return notes + texts_of_table<ToldText>(language) + texts_of_table<DrawnText>(language) +
           texts_of_table<OfferedText>(language) + texts_of_table<FoundText>(language) +
           texts_of_table<TypedText>(language) + texts_of_table<RefusedText>(language);
}

std::string filled(std::string_view text, Language language, std::initializer_list<Value> values) {
    std::string said;
    while (!text.empty()) {
        const auto open = text.find('{');
        join(said, text.substr(0, open), language);
        if (open == std::string_view::npos) break;
        const auto close = text.find('}', open);
        join(said, value_of(text.substr(open + 1, close - open - 1), values), language);
        text.remove_prefix(close + 1);
    }
    return said;
}

}  // namespace fiberscope
