#include "viewer/layout/base/fitting.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Suffix that distinguishes a name: "03" of "worker 03", "B" of "task B", "(2)" of "worker (2)"; empty if there is
/// none.
std::string_view tail_of(std::string_view name) {
    const auto space = name.find_last_of(' ');
    if (space == std::string_view::npos || space + 1 == name.size()) return {};
    const std::string_view tail = name.substr(space + 1);
    const bool bracket = tail.size() > 2 && tail.front() == '(' && tail.back() == ')';
    return tail.size() == 1 || is_number(bracket ? tail.substr(1, tail.size() - 2) : tail) ? tail : std::string_view();
}

}  // namespace

std::size_t fitting_length(const Metrics& metrics, float width, std::string_view text) {
    std::size_t fits = 0, most = std::min<std::size_t>(16, text.size());
    for (; most < text.size() && metrics.width(text.substr(0, most)) <= width; most = std::min(2 * most, text.size()))
        fits = most;
    while (fits < most) {
        const std::size_t middle = fits + (most - fits + 1) / 2;
        if (metrics.width(text.substr(0, middle)) <= width)
            fits = middle;
        else
            most = middle - 1;
    }
    return fits;
}

std::string fitting_beginning(const Metrics& metrics, float width, std::string_view text) {
    if (fitting_length(metrics, width, text) == text.size()) return std::string(text);
    std::size_t length = fitting_length(metrics, width - metrics.width("…"), text);
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    return std::string(text.substr(0, length)) + "…";
}

std::string fitting_whole(const Metrics& metrics, float width, std::string_view text) {
    return metrics.width(text) + 0.3F * metrics.em <= width ? std::string(text) : std::string();
}

std::string fitting_name(const Metrics& metrics, float width, std::string_view name) {
    const float room = width - 0.2F * metrics.em;
    if (room < 0.6F * metrics.em) return {};
    if (metrics.width(name) <= room) return std::string(name);
    if (const std::string_view tail = tail_of(name); !tail.empty())
        return metrics.width(tail) <= room ? std::string(tail) : std::string();
    for (std::size_t length = std::min(fitting_length(metrics, room, name) + 4, name.size()); --length >= 2;) {
        const bool whole_character = (static_cast<unsigned char>(name[length]) & 0xC0U) != 0x80U;
        if (!whole_character || name[length - 1] == '.' || name[length - 1] == ' ') continue;
        std::string cut = std::string(name.substr(0, length)) + "…";
        if (metrics.width(cut) <= room) return cut;
    }
    return {};
}

std::string fitting_lane_name(const Metrics& metrics, float width, std::string_view name) {
    const float room = width - 0.2F * metrics.em;
    if (room < 0.6F * metrics.em) return {};
    if (metrics.width(name) <= room) return std::string(name);
    const std::string_view tail = tail_of(name);
    for (std::size_t length = std::min(fitting_length(metrics, room, name) + 4, name.size() - tail.size());
         --length >= 1 && length < name.size();) {
        const bool whole_character = (static_cast<unsigned char>(name[length]) & 0xC0U) != 0x80U;
        if (!whole_character || name[length - 1] == '.' || name[length - 1] == ' ') continue;
        std::string cut = std::string(name.substr(0, length)) + "…" + std::string(tail);
        if (metrics.width(cut) <= room) return cut;
    }
    return {};
}

std::vector<std::string> without_same_beginning(std::vector<std::string> names) {
    if (names.empty()) return names;
    const std::string first = names.front();
    std::size_t same = first.size();
    for (const std::string& name : names) {
        const auto mismatch = std::mismatch(first.begin(), first.end(), name.begin(), name.end());
        same = std::min(same, static_cast<std::size_t>(mismatch.first - first.begin()));
    }
    while (same > 0 && same < first.size() && (static_cast<unsigned char>(first[same]) & 0xC0U) == 0x80)
        --same;  // inside a UTF-8 sequence
    for (std::string& name : names)
        if (name.size() > same && same > 1) name = "…" + name.substr(name[same] == '_' ? same + 1 : same);
    return names;
}

float common_width(float room, std::vector<float> widths, const std::vector<float>& least) {
    if (!least.empty()) {
        const float most = common_width(room, widths);
        std::vector<float> others;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (least[i] <= most) others.push_back(widths[i]);
            room -= least[i] <= most ? 0 : least[i];
        }
        widths = std::move(others);
    }
    std::sort(widths.begin(), widths.end());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const float share = room / static_cast<float>(widths.size() - i);
        if (widths[i] > share) return share;
        room -= widths[i];
    }
    return widths.empty() ? room : widths.back();
}

std::string fitting_key(const Metrics& metrics, float width, std::string_view key) {
    const float room = width - 0.2F * metrics.em;
    if (metrics.width(key) <= room) return std::string(key);
    const auto space = key.find(' ');
    const std::string_view before = key.substr(0, space);
    const std::string_view after = space == std::string_view::npos ? std::string_view() : key.substr(space + 1);
    for (const std::string_view part : {before, after})
        if (is_number(part) && metrics.width(part) <= room) return std::string(part);
    return {};
}

std::string first_fitting(const Metrics& metrics, float width, std::initializer_list<std::string> texts) {
    for (const std::string& text : texts)
        if (metrics.width(text) <= width) return text;
    return *(texts.end() - 1);
}

namespace {

/// The character at byte `at` of UTF-8 text, and its length in bytes.
std::pair<char32_t, std::size_t> character(std::string_view text, std::size_t at) noexcept {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t size = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t code = size == 1 ? first : first & (0x7FU >> size);
    for (std::size_t i = 1; i < size && at + i < text.size(); ++i)
        code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    return {code, std::min(size, text.size() - at)};
}

/// Whether a line break is allowed between two characters of Chinese text: not before closing and not after opening
/// punctuation.
bool may_break(char32_t before, char32_t after) noexcept {
    constexpr std::u32string_view kCloses = U"，。；：、）”！？…", kOpens = U"（“";
    const auto wide = [](char32_t c) { return c >= 0x2E80; };
    if (kCloses.find(after) != std::u32string_view::npos || kOpens.find(before) != std::u32string_view::npos)
        return false;
    return wide(before) || wide(after) || after == U'“' || before == U'”';
}

/// End of the first unbreakable part of `text`.
std::size_t end_of_part(std::string_view text) noexcept {
    auto [before, at] = character(text, 0);
    while (at < text.size() && text[at] != ' ') {
        const auto [after, size] = character(text, at);
        if (may_break(before, after)) break;
        before = after;
        at += size;
    }
    return at;
}

}  // namespace

namespace {

std::size_t count_of(std::string_view text, std::string_view what) noexcept {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) ++count;
    return count;
}

/// Whether a clause is understandable by itself: at least three words or five Chinese characters, brackets balanced.
bool stands_alone(std::string_view clause) noexcept {
    const bool whole =
        count_of(clause, "(") == count_of(clause, ")") && count_of(clause, "（") == count_of(clause, "）");
    std::size_t wide = 0;
    for (const char c : clause) wide += static_cast<unsigned char>(c) >= 0xE3U ? 1U : 0U;
    return whole && (count_of(clause, " ") >= 2 || wide >= 5);
}

}  // namespace

std::vector<std::string> parted_symbol(const Metrics& metrics, float width, std::string_view symbol) {
    for (std::size_t at = symbol.size(); at-- > 1;) {
        const char before = symbol[at - 1];
        if (before != '_' && before != ':' && symbol[at] != '+') continue;
        const std::string_view first = symbol.substr(0, at), second = symbol.substr(at);
        if (metrics.width(first) <= width && metrics.width(second) <= width)
            return {std::string(first), std::string(second)};
    }
    return {};
}

std::string fitting_sentence(const Metrics& metrics, float width, std::string_view sentence, bool any) {
    if (metrics.width(sentence) <= width) return std::string(sentence);
    constexpr std::size_t kEnd = 8;  // the clause may fit although the separator after it does not
    width -= metrics.width("…");
    sentence = sentence.substr(0, fitting_length(metrics, width, sentence) + kEnd);
    std::string best;
    for (const std::string_view end :
         {": ", "; ", ", ", " (", " and ", " under ", " with ", " on ", " into ", " from ", "：", "；", "，", "（"})
        for (auto at = sentence.find(end); at != std::string_view::npos; at = sentence.find(end, at + 1)) {
            const std::string_view clause = sentence.substr(0, at);
            if (clause.size() > best.size() && (any || stands_alone(clause)) && metrics.width(clause) <= width)
                best = clause;
        }
    if (best.ends_with(',')) best.pop_back();  // from ", and"
    return best.empty() ? best : best + "…";
}

std::vector<std::string> wrapped(const Metrics& metrics, float first, float width, std::string_view text,
                                 std::size_t most) {
    std::vector<std::string> lines;
    std::string line;
    bool spaced = false;
    while (!text.empty()) {
        const std::size_t end = text.front() == ' ' ? 0 : end_of_part(text);
        const std::string longer = line + (spaced && !line.empty() ? " " : "") + std::string(text.substr(0, end));
        if (metrics.width(longer) > (lines.empty() ? first : width)) {
            if (line.empty() || lines.size() + 1 == most) return {};
            lines.push_back(line);
            line.clear();
            continue;
        }
        line = longer;
        spaced = end < text.size() && text[end] == ' ';
        text.remove_prefix(end + (spaced ? 1 : 0));
    }
    lines.push_back(line);
    return lines;
}

}  // namespace fiberscope::viewer
