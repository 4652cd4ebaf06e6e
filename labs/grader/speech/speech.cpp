#include "labs/grader/speech/speech.h"

#include <algorithm>
#include <utility>

#include "labs/kit/report/notes.h"
#include "labs/kit/report/report.h"
#include "languages/message.h"

namespace fiberscope::grader {
namespace {

Language spoken = Language::english;

/// Whether a catalogue contains the text of a message.
bool is_known(std::string_view message) {
    return formatted(message, Language::chinese) != formatted(message, Language::english);
}

void append(std::string& text, std::string_view part, std::string_view between) {
    if (part.empty()) return;
    if (!text.empty()) text += between;
    text += part;
}

/// Removes and returns the next part of `rest`.
std::string_view next_part(std::string_view& rest) {
    const std::size_t end = rest.find(kit::kBetweenNotes);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    return part;
}

/// Text in parentheses.
std::string case_in_words(std::string_view note) {
    std::string text = formatted(note, spoken);
    for (const auto& [before, behind] : {std::pair("(", ")"), std::pair("（", "）")})
        if (text.starts_with(before) && text.ends_with(behind))
            return text.substr(std::string_view(before).size(), text.size() - 2 * std::string_view(before).size());
    return text;
}

}  // namespace

void set_language(Language language) noexcept { spoken = language; }
Language language() noexcept { return spoken; }

std::string sentence_in_words(std::string_view message) { return formatted(message, spoken); }

std::string name_in_words(std::string_view name) {
    const std::size_t space = std::min(name.find(' '), name.size() - 1) + 1;
    const std::string_view number = name.substr(0, space), words = name.substr(space);
    // "by asm: yield outside a coroutine": identifies the case, in a test that runs several times.
    const std::size_t colon = words.find(": ");
    if (is_known(words) || colon == words.npos) return std::string(number) + sentence_in_words(words);
    return std::string(number) +
           says("{0}: {1}", Value::of(words.substr(0, colon)), Value::of(words.substr(colon + 2)));
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
        found = found || (!kit::is_fault(note) && is_known(note));
    }
    // A text that is not in any catalogue may be a value of many words, or a sentence: only the nearest one is shown.
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
