#include "labs/grader/speech/speech.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "labs/kit/report/notes.h"
#include "labs/kit/report/report.h"
#include "languages/said.h"

namespace fiberscope::grader {
namespace {

Language spoken = Language::english;

constexpr std::string_view kNext = "; ", kBehindName = ": ";

std::optional<std::string> in_chinese(std::string_view english) {
    std::string said =
        translated(english, Language::chinese, {"labs/", "languages", "traces/check", "traces/read", "traces/tool"});
    return said == english ? std::nullopt : std::optional(std::move(said));
}

/// "turns: cannot open it": the name of what speaks, and what it says.
std::optional<std::string> behind_a_name_in_chinese(std::string_view english) {
    for (std::size_t at = english.find(kBehindName); at != english.npos; at = english.find(kBehindName, at + 1)) {
        const std::string_view name = english.substr(0, at), told = english.substr(at + kBehindName.size());
        if (const std::string said = sentence_in_words(told); said != told)
            return in_chinese(name).value_or(std::string(name)) + "：" + said;
    }
    return std::nullopt;
}

void append(std::string& text, std::string_view part, std::string_view between) {
    if (part.empty()) return;
    if (!text.empty()) text += between;
    text += part;
}

/// The next part of `rest`, which is cut off there.
std::string_view next_part(std::string_view& rest) {
    const std::size_t end = rest.find(kit::kBetweenNotes);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    return part;
}

/// As it stands between the brackets.
std::string case_in_words(std::string_view note) {
    std::string text = sentence_in_words(note);
    for (const auto& [before, behind] : {std::pair("(", ")"), std::pair("（", "）")})
        if (text.starts_with(before) && text.ends_with(behind))
            return text.substr(std::string_view(before).size(), text.size() - 2 * std::string_view(before).size());
    return text;
}

}  // namespace

void set_language(Language language) noexcept { spoken = language; }
Language language() noexcept { return spoken; }

std::string sentence_in_words(std::string_view english) {
    if (language() == Language::english || english.empty()) return std::string(english);
    if (auto found = in_chinese(english)) return *found;
    if (auto found = behind_a_name_in_chinese(english)) return *found;
    const std::size_t end = english.find(kNext);
    if (end == english.npos) return std::string(english);
    return std::string(english.substr(0, end)) + "；" + sentence_in_words(english.substr(end + kNext.size()));
}

std::string name_in_words(std::string_view name) {
    const std::size_t at = std::min(name.find(' '), name.size() - 1);
    return std::string(name.substr(0, at + 1)) + sentence_in_words(name.substr(at + 1));
}

std::string failure_in_words(std::string_view message) {
    const bool chinese = language() == Language::chinese;
    const std::string_view between = chinese ? "；" : "; ";
    const std::string_view own = next_part(message);
    std::string told = sentence_in_words(own), sentence, nearest, cases;
    bool found = false;
    while (!message.empty()) {
        const std::string_view note = next_part(message);
        if (kit::is_value(note)) {
            append(cases, case_in_words(note), chinese ? "，" : ", ");
            continue;
        }
        if (nearest.empty()) nearest = note;
        if (!found) append(sentence, sentence_in_words(note), between);
        found = found || (!kit::is_fault(note) && in_chinese(note));
    }
    // What no catalogue tells of may be a value in many words, or a sentence: of these the nearest is meant.
    append(told, found ? sentence : sentence_in_words(nearest), between);
    if (cases.empty()) return told;
    return told + (chinese ? "（" : told.empty() ? "(" : " (") + cases + (chinese ? "）" : ")");
}

std::size_t columns(std::string_view text) noexcept {
    std::size_t all = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0) == 0x80) continue;
        all += byte >= 0xE3 && byte < 0xF0 ? 2 : 1;  // from U+3000 on: Chinese characters and their punctuation
    }
    return all;
}

}  // namespace fiberscope::grader
