#include "languages/say.h"

#include <unordered_map>
#include <vector>

#include "languages/catalogue.h"
#include "languages/message.h"

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

/// What stands in braces: "0", "0:number", or "0:event|events".
std::string_view value_of(std::string_view place, std::span<const Value> values) noexcept {
    const auto number = static_cast<std::size_t>(place.front() - '0');
    if (number >= values.size()) return {};
    const std::string& value = values[number].words();
    const auto bar = place.find('|');
    if (bar == std::string_view::npos) return value;
    return value == "1" ? place.substr(2, bar - 2) : place.substr(bar + 1);
}

/// Of all rooms; where two translate the same text, the first does.
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
    std::string key(text.context);
    if (!key.empty()) key += '\4';
    const auto found = translations().find(key += text.english);
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

std::size_t place_in(std::string_view text) noexcept {
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
        if (at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9' && text.find('}', at) != text.npos)
            return at;
    return text.npos;
}

std::string filled(std::string_view text, Language language, std::span<const Value> values) {
    std::string said;
    while (!text.empty()) {
        const auto open = place_in(text);
        join(said, text.substr(0, open), language);
        if (open == std::string_view::npos) break;
        const auto close = text.find('}', open);
        join(said, value_of(text.substr(open + 1, close - open - 1), values), language);
        text.remove_prefix(close + 1);
    }
    return said;
}

std::string formatted(std::string_view message, Language language) {
    std::size_t tab = message.find('\t');
    const std::string_view text = text_of({message.substr(0, tab), std::string_view()}, language);
    if (tab == message.npos) return std::string(text);
    std::vector<Value> values;
    while (tab != message.npos) {
        message.remove_prefix(tab + 1);
        tab = message.find('\t');
        values.emplace_back(message.substr(0, tab));
    }
    return filled(text, language, values);
}

}  // namespace fiberscope
