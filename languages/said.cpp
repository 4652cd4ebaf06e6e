#include "languages/said.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "languages/catalogue.h"
#include "languages/say.h"

namespace fiberscope {
namespace {

/// Which texts: those of a context, or those of these rooms that have none.
struct Among {
    std::initializer_list<std::string_view> rooms;
    std::string_view context = {};
};

std::string said_again(std::string_view english, Language language, const Among& among);

/// What stands between two places of a text, and the place behind it.
struct Piece {
    std::string_view words;
    std::size_t number = std::string_view::npos;  ///< of the place; npos if the text ends here
    std::string_view kind;                        ///< "number" of "{0:number}"
    std::size_t size = 0;                         ///< of all of it
};

Piece first_piece(std::string_view text) noexcept {
    const std::size_t open = place_in(text), close = text.find('}', open);
    if (open == text.npos) return {text, text.npos, {}, text.size()};
    const std::string_view place = text.substr(open + 1, close - open - 1);
    return {text.substr(0, open), static_cast<std::size_t>(place.front() - '0'),
            place.substr(std::min<std::size_t>(place.size(), 2)), close + 1};
}

struct Found {
    std::string_view value, kind;
};
constexpr std::size_t kMostPlaces = 6;
using Values = std::array<Found, kMostPlaces>;

bool fits(std::string_view value, std::string_view kind, bool last) noexcept {
    if (kind == "number") return !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    if (kind == "word") return !value.empty() && value.find(' ') == value.npos;
    return last || value.find("; ") == value.npos;
}

/// What stands in the places of `text` in `english`; nothing if `english` is another text.
std::optional<Values> values_in(std::string_view english, std::string_view text) {
    Values values;
    Piece piece = first_piece(text);
    if (!english.starts_with(piece.words)) return std::nullopt;
    english.remove_prefix(piece.words.size());
    bool is_first = piece.words.empty() && !text.empty();
    while (piece.number < kMostPlaces) {
        text.remove_prefix(piece.size);
        const Piece next = first_piece(text);
        const bool last = next.number == text.npos;
        if (last && !english.ends_with(next.words)) return std::nullopt;
        const std::size_t end = last ? english.size() - next.words.size() : english.find(next.words);
        if (end == english.npos || !fits(english.substr(0, end), piece.kind, last)) return std::nullopt;
        // "event 3: timer 1 is in ready": what stands before the colon is another text.
        if (std::exchange(is_first, false) && english.substr(0, end).find(": ") != english.npos) return std::nullopt;
        values[piece.number] = {english.substr(0, end), piece.kind};
        english.remove_prefix(end + next.words.size());
        piece = next;
    }
    return english.empty() ? std::optional(values) : std::nullopt;
}

/// How many bytes of a text stand outside of its places; 0 if no letter does, for such a text would fit everything.
std::size_t own_words(std::string_view text) noexcept {
    std::size_t all = 0;
    bool has_letter = false;
    for (Piece piece = first_piece(text);; piece = first_piece(text)) {
        all += piece.words.size();
        for (const char c : piece.words) has_letter = has_letter || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        if (piece.number == text.npos) return has_letter ? all : 0;
        text.remove_prefix(piece.size);
    }
}

/// Of the entry of a room that is looked through; nothing if it is of another context.
std::optional<std::string_view> text_among(const Among& among, std::string_view key) noexcept {
    const std::size_t end = key.find('\4');
    if (key.substr(0, end == key.npos ? 0 : end) != among.context) return std::nullopt;
    return key.substr(end + 1);  // npos + 1 is 0
}

struct Best {
    const languages::Entry* entry = nullptr;
    std::size_t words = 0;
    Values values;
};

Best best_of(std::string_view english, const Among& among) {
    Best best;
    for (const languages::Catalogue& one : languages::catalogues()) {
        if (among.context.empty() && !languages::is_among(one.room, among.rooms)) continue;
        for (const languages::Entry& entry : one.entries) {
            const auto text = text_among(among, entry.key);
            const auto values = text ? values_in(english, *text) : std::nullopt;
            if (const std::size_t words = values ? own_words(*text) : 0; words > best.words)
                best = {&entry, words, *values};
        }
    }
    return best;
}

/// Of "'a' is suspended, 'b' waits for fd 8, and 2 more" each.
std::string each_in(std::string_view row, Language language, const Among& among) {
    const std::size_t end = std::min(row.find(", '"), row.find(", and "));
    std::string first = said_again(row.substr(0, end), language, among);
    return end == row.npos ? first : first + "，" + each_in(row.substr(end + 2), language, among);
}

std::string value_in(const Found& found, Language language, const Among& among) {
    if (found.value.empty()) return {};
    if (found.kind.empty()) return said_again(found.value, language, among);
    if (found.kind == "each") return each_in(found.value, language, among);
    if (found.kind == "number" || found.kind == "word") return std::string(found.value);
    return translated_as(found.kind, found.value, language);
}

std::string said_again(std::string_view english, Language language, const Among& among) {
    constexpr std::string_view kNext = "; ";
    if (language == Language::english) return std::string(english);
    Best best = best_of(english, among);
    std::size_t end = english.size();
    for (std::size_t at = english.rfind(kNext); at != english.npos && at > 0; at = english.rfind(kNext, at - 1))
        if (const Best first = best_of(english.substr(0, at), among);
            first.entry != nullptr && first.words >= best.words)
            best = first, end = at;
    if (best.entry == nullptr) return std::string(english);
    std::vector<Value> values;
    for (const Found& one : best.values) values.emplace_back(value_in(one, language, among));
    const std::string said = filled(best.entry->chinese, language, values);
    return end == english.size() ? said : said + "；" + said_again(english.substr(end + kNext.size()), language, among);
}

}  // namespace

std::string translated(std::string_view english, Language language, std::initializer_list<std::string_view> rooms) {
    return said_again(english, language, {rooms});
}

std::string translated_as(std::string_view context, std::string_view english, Language language) {
    return said_again(english, language, {{}, context});
}

}  // namespace fiberscope
