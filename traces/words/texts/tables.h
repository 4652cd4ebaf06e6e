// How a table of texts is written, so that none is missing.
#pragma once

#include <array>
#include <string_view>

#include "traces/words/texts/keys.h"

namespace fiberscope {

struct Text {
    T key;
    std::string_view words;
};

/// In the order of the keys. A key that has no text, or two, does not compile.
template <std::size_t N>
constexpr std::array<std::string_view, kTexts> table_of(const Text (&rows)[N]) {
    std::array<std::string_view, kTexts> table{};
    for (const Text& row : rows) {
        if (!table[static_cast<std::size_t>(row.key)].empty()) throw "a key has two texts";
        table[static_cast<std::size_t>(row.key)] = row.words;
    }
    for (const std::string_view words : table)
        if (words.empty()) throw "a key has no text";
    return table;
}

extern const std::array<std::string_view, kTexts> kEnglish;
extern const std::array<std::string_view, kTexts> kChinese;

}  // namespace fiberscope
