#include "languages/said.h"

#include <algorithm>
#include <array>

#include "languages/catalogue.h"
#include "languages/say.h"

namespace fiberscope {
namespace {

using Rooms = std::initializer_list<std::string_view>;

/// What stands between two places of a text, and the place behind it.
struct Piece {
    std::string_view words;
    std::size_t number = std::string_view::npos;  ///< of the place; npos if the text ends here
    std::string_view kind;                        ///< "number" of "{0:number}"
    std::size_t size = 0;                         ///< of all of it
};

Piece first_piece(std::string_view text) noexcept {
    const std::size_t open = text.find('{'), close = text.find('}', open);
    if (open == text.npos || close == text.npos) return {text, text.npos, {}, text.size()};
    const std::string_view place = text.substr(open + 1, close - open - 1);
    return {text.substr(0, open), static_cast<std::size_t>(place.front() - '0'),
            place.substr(std::min<std::size_t>(place.size(), 2)), close + 1};
}

struct Found {
    std::string_view value, kind;
};
constexpr std::size_t kMostPlaces = 6;
using Values = std::array<Found, kMostPlaces>;

bool fits(std::string_view value, std::string_view kind, bool at_end) noexcept {
    if (kind == "number") return !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    if (kind == "word") return !value.empty() && value.find(' ') == value.npos;
    return at_end || value.find("; ") == value.npos;
}

/// What stands in the places of `text` in `english`; nothing if `english` is another text.
std::optional<Values> values_in(std::string_view english, std::string_view text) {
    Values values;
    Piece piece = first_piece(text);
    if (!english.starts_with(piece.words)) return std::nullopt;
    english.remove_prefix(piece.words.size());
    while (piece.number < kMostPlaces) {
        text.remove_prefix(piece.size);
        const Piece next = first_piece(text);
        const bool last = next.number == text.npos;
        if (last && !english.ends_with(next.words)) return std::nullopt;
        const std::size_t end = last ? english.size() - next.words.size() : english.find(next.words);
        if (end == english.npos || !fits(english.substr(0, end), piece.kind, text.empty())) return std::nullopt;
        values[piece.number] = {english.substr(0, end), piece.kind};
        english.remove_prefix(end + next.words.size());
        piece = next;
    }
    return english.empty() ? std::optional(values) : std::nullopt;
}

std::size_t own_words(std::string_view text) noexcept {
    std::size_t all = 0;
    for (Piece piece = first_piece(text);; piece = first_piece(text)) {
        all += piece.words.size();
        if (piece.number == text.npos) return all;
        text.remove_prefix(piece.size);
    }
}

std::string_view without_context(std::string_view key) noexcept {
    return key.substr(key.find('\4') + 1);  // npos + 1 is 0
}

bool is_among(std::string_view room, Rooms rooms) noexcept {
    return std::any_of(rooms.begin(), rooms.end(),
                       [&](std::string_view one) { return one.ends_with('/') ? room.starts_with(one) : room == one; });
}

struct Best {
    const languages::Entry* entry = nullptr;
    std::size_t words = 0;
    Values values;
};

Best best_of(std::string_view english, Rooms rooms) {
    Best best;
    for (const languages::Catalogue& one : languages::catalogues()) {
        if (!is_among(one.room, rooms)) continue;
        for (const languages::Entry& entry : one.entries) {
            const std::string_view text = without_context(entry.key);
            const auto values = values_in(english, text);
            if (!values) continue;
            if (const std::size_t words = own_words(text); best.entry == nullptr || words > best.words)
                best = {&entry, words, *values};
        }
    }
    return best;
}

std::string value_in(const Found& found, Language language, Rooms rooms) {
    if (found.kind.empty()) return translated(found.value, language, rooms);
    if (found.kind == "number" || found.kind == "word" || found.kind == "name") return std::string(found.value);
    return std::string(text_of(Text(found.value, found.kind), language));
}

}  // namespace

std::optional<std::string> find_said(std::string_view english, Language language, Rooms rooms) {
    if (language == Language::english) return std::nullopt;
    const Best best = best_of(english, rooms);
    if (best.entry == nullptr) return std::nullopt;
    const auto value = [&](std::size_t i) { return value_in(best.values[i], language, rooms); };
    return filled(best.entry->chinese, language, {value(0), value(1), value(2), value(3), value(4), value(5)});
}

std::string translated(std::string_view english, Language language, Rooms rooms) {
    return find_said(english, language, rooms).value_or(std::string(english));
}

}  // namespace fiberscope
