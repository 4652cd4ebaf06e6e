// A text and its values in one string, which is formatted by the reader, in the reader's language.
#pragma once

#include <string>
#include <string_view>

#include "languages/say.h"

namespace fiberscope {

/// Returns the key of `text` followed by each value, separated by tabs: message("the lock '{0}' to read", "table"). A
/// value may be a Text or another message (Value::of), which is formatted in the same language.
template <class... Values>
std::string message(Text text, const Values&... values) {
    std::string out = key_of(text);
    ((out += '\t', out += Value(values).words()), ...);
    return out;
}

/// Appends a message in English to `out`, a string or a kit::SignalText, without a catalogue and without allocation.
template <class Out>
void put_english(Out& out, std::string_view message) {
    std::string_view rest = message, text = detail::next_field(rest);
    text.remove_prefix(text.find('\4') + 1);             // npos + 1 is 0
    if (rest.empty()) return detail::append(out, text);  // no values: braces are literal
    for (std::size_t open; (open = place_in(text)) != text.npos; text.remove_prefix(text.find('}') + 1)) {
        detail::append(out, text.substr(0, open));
        text.remove_prefix(open + 1);
        std::string_view values = rest, value;
        for (char number = '0'; number <= text.front(); ++number) value = detail::next_field(values);
        if (detail::is_message(value))
            put_english(out, detail::inside(value));
        else
            detail::append(out, detail::chosen(text.substr(0, text.find('}')), value));
    }
    detail::append(out, text);
}

/// A message in English. A string without values is unchanged.
inline std::string english_of(std::string_view message) {
    if (message.find_first_of("\t\4") == message.npos) return std::string(message);
    std::string out;
    put_english(out, message);
    return out;
}

/// Appends a message in a language. Text that is not in any catalogue, such as a program's own, is unchanged. Allocates
/// only to grow `out`, and a table in its first call.
void put_formatted(std::string& out, std::string_view message, Language language);
inline std::string formatted(std::string_view message, Language language) {
    std::string out;
    put_formatted(out, message, language);
    return out;
}

}  // namespace fiberscope
