#include "languages/say.h"

#include <unordered_map>

#include "languages/catalogue.h"
#include "languages/message.h"

namespace fiberscope {
namespace {

/// Whether `c` is a letter, a digit, or punctuation that belongs to the adjacent word.
bool is_of_word(char c, std::string_view signs) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (byte >= 0xC3 && byte <= 0xDF) || signs.find(c) != std::string_view::npos;
}

/// Whether the text ends or begins with one; European letters have two bytes.
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

/// In Chinese, inserts a space at `at`, between the existing and the appended text, if one of the two needs it.
void part(std::string& text, std::size_t at, Language language) {
    if (language != Language::chinese || at == 0 || at == text.size()) return;
    const std::string_view first = std::string_view(text).substr(0, at), more = std::string_view(text).substr(at);
    const bool before = at >= 3 && is_chinese(first, at - 3), after = is_chinese(more, 0);
    if ((before && begins_as_word(more)) || (after && ends_as_word(first))) text.insert(at, 1, ' ');
}

/// Appends `text`; `value_of(n)` returns the value for placeholder n.
template <class ValueOf>
void fill(std::string& out, std::string_view text, Language language, ValueOf value_of) {
    while (!text.empty()) {
        const auto open = place_in(text);
        std::size_t at = out.size();
        out += text.substr(0, open);
        part(out, at, language);
        if (open == text.npos) return;
        const auto close = text.find('}', open);
        const std::string_view place = text.substr(open + 1, close - open - 1),
                               value = value_of(static_cast<std::size_t>(place.front() - '0'));
        at = out.size();
        if (detail::is_message(value))
            put_formatted(out, detail::inside(value), language);
        else
            out += detail::chosen(place, value);
        part(out, at, language);
        text.remove_prefix(close + 1);
    }
}

/// Over all rooms; if two translate the same text, the first one wins.
const std::unordered_map<std::string_view, std::string_view>& translations() {
    static const auto all = [] {
        std::unordered_map<std::string_view, std::string_view> found;
        for (const languages::Catalogue& one : languages::catalogues())
            for (const languages::Entry& entry : one.entries) found.try_emplace(entry.key, entry.chinese);
        return found;
    }();
    return all;
}

}  // namespace

std::string_view text_of(Text text, Language language) {
    if (language == Language::english) return text.english;
    const auto found = translations().find(key_of(text));
    return found == translations().end() ? text.english : found->second;
}

std::string all_texts(Language language, std::initializer_list<std::string_view> rooms) {
    std::string all;
    for (const languages::Catalogue& one : languages::catalogues())
        if (languages::is_among(one.room, rooms))
            for (const languages::Entry& entry : one.entries)
                all += language == Language::english ? entry.key : entry.chinese;
    return all;
}

std::string all_texts(Language language, std::string_view context) {
    std::string all;
    for (const languages::Catalogue& one : languages::catalogues())
        for (const languages::Entry& entry : one.entries)
            if (const std::size_t end = entry.key.find('\4');
                end != entry.key.npos && entry.key.substr(0, end) == context)
                all += language == Language::english ? entry.key.substr(end + 1) : entry.chinese;
    return all;
}

std::string filled(std::string_view text, Language language, std::span<const Value> values) {
    std::string out;
    fill(out, text, language,
         [&](std::size_t n) { return n < values.size() ? std::string_view(values[n].words()) : std::string_view(); });
    return out;
}

void put_formatted(std::string& out, std::string_view message, Language language) {
    const std::string_view key = detail::next_field(message);
    std::string_view text = key.substr(key.find('\4') + 1);  // npos + 1 is 0
    if (language != Language::english)
        if (const auto found = translations().find(key); found != translations().end()) text = found->second;
    if (message.empty()) {  // no values: braces are literal
        out += text;
        return;
    }
    fill(out, text, language, [&](std::size_t n) {
        std::string_view rest = message, value = detail::next_field(rest);
        for (; n > 0; --n) value = detail::next_field(rest);
        return value;
    });
}

}  // namespace fiberscope
