// How a table of texts is written, so that none is missing.
#pragma once

#include <array>
#include <string_view>

#include "traces/words/texts/keys.h"

namespace fiberscope {

template <class Key>
using Table = std::array<std::string_view, kTexts<Key>>;

template <class Key>
struct Text {
    Key key;
    std::string_view words;
};

/// In the order of the keys. A key that has no text, or two, does not compile.
template <class Key, std::size_t N>
constexpr Table<Key> table_of(const Text<Key> (&rows)[N]) {
    Table<Key> table{};
    for (const Text<Key>& row : rows) {
        if (!table[static_cast<std::size_t>(row.key)].empty()) throw "a key has two texts";
        table[static_cast<std::size_t>(row.key)] = row.words;
    }
    for (const std::string_view words : table)
        if (words.empty()) throw "a key has no text";
    return table;
}

/// Each table of a language stands in a file of its own: english/told.cpp has English<ToldText>::rows.
template <class Key>
struct English {
    static const Table<Key> rows;
};
template <class Key>
struct Chinese {
    static const Table<Key> rows;
};

// Said here, so that no table is made up where it is used before it stands.
template <>
const Table<ToldText> English<ToldText>::rows;
template <>
const Table<DrawnText> English<DrawnText>::rows;
template <>
const Table<OfferedText> English<OfferedText>::rows;
template <>
const Table<FoundText> English<FoundText>::rows;
template <>
const Table<TypedText> English<TypedText>::rows;
template <>
const Table<RefusedText> English<RefusedText>::rows;
template <>
const Table<ToldText> Chinese<ToldText>::rows;
template <>
const Table<DrawnText> Chinese<DrawnText>::rows;
template <>
const Table<OfferedText> Chinese<OfferedText>::rows;
template <>
const Table<FoundText> Chinese<FoundText>::rows;
template <>
const Table<TypedText> Chinese<TypedText>::rows;
template <>
const Table<RefusedText> Chinese<RefusedText>::rows;

}  // namespace fiberscope
