// A text and its values in one string, which is formatted when it is read, in the language of the reader.
#pragma once

#include <string>
#include <string_view>

#include "languages/say.h"

namespace fiberscope {

/// The English of `text`, and behind it each value after a tab: message("the lock '{0}' to read", "table").
template <class... Values>
std::string message(Text text, const Values&... values) {
    std::string out(text.english);
    ((out += '\t', out += Value(values).words()), ...);
    return out;
}

/// A message in English, without a catalogue. A string without values stays as it is.
inline std::string english_of(std::string_view message) {
    std::size_t tab = message.find('\t');
    std::string out(message.substr(0, tab));
    for (char number = '0'; tab != message.npos; ++number) {
        message.remove_prefix(tab + 1);
        tab = message.find('\t');
        if (const std::size_t place = out.find(std::string{'{', number, '}'}); place != out.npos)
            out.replace(place, 3, message.substr(0, tab));
    }
    return out;
}

/// A message in a language. What no catalogue has, such as a program's own words, stays as it is.
std::string formatted(std::string_view message, Language language);

}  // namespace fiberscope
