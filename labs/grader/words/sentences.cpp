#include "labs/grader/words/sentences.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "labs/grader/words/pairs.h"
#include "labs/grader/words/translation.h"
#include "labs/grader/words/words.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/report/report.h"

namespace fiberscope::grader {
namespace {

struct Sentence {
    std::string english, chinese;
    bool is_case = false;
};

std::map<std::string, Sentence, std::less<>> whole;
std::vector<Sentence> patterns;  // with something to fill in

bool has_hole(std::string_view text) { return text.find("{0}") != text.npos; }

void take_off(std::string& text, std::string_view before, std::string_view behind) {
    if (text.starts_with(before)) text.erase(0, before.size());
    if (text.ends_with(behind)) text.erase(text.size() - behind.size());
}

void learn(Sentence one) {
    one.is_case = one.english.starts_with('(') && one.english.ends_with(')');
    if (one.is_case) {
        take_off(one.english, "(", ")");
        take_off(one.chinese, "（", "）");
    }
    if (has_hole(one.english))
        patterns.push_back(std::move(one));
    else
        whole.insert_or_assign(one.english, one);
}

struct Known {
    std::string text;
    bool is_case = false;
};

/// The longest pattern that fits says most.
std::optional<Known> known(std::string_view english) {
    const bool translates = language() == Language::chinese;
    if (const auto found = whole.find(english); found != whole.end())
        return Known{translates ? found->second.chinese : found->second.english, found->second.is_case};
    const Sentence* best = nullptr;
    for (const Sentence& one : patterns)
        if (fits(english, one.english) && (best == nullptr || one.english.size() > best->english.size())) best = &one;
    if (best == nullptr) return std::nullopt;
    return Known{translates ? filled_in(english, best->english, best->chinese) : std::string(english), best->is_case};
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

}  // namespace

void learn_sentences(const std::filesystem::path& file) {
    read_pairs(file, [](const std::string& english, const std::string& chinese) { learn({english, chinese}); });
}

std::string sentence_in_words(std::string_view english) {
    if (const auto one = known(english); one && !one->is_case) return one->text;
    return translated_beginning(english);
}

std::string failure_in_words(std::string_view message) {
    const bool chinese = language() == Language::chinese;
    const std::string_view between = chinese ? "；" : "; ";
    const std::string_view own = next_part(message);
    std::string told = sentence_in_words(own), sentence, nearest, cases;
    bool found = false;
    while (!message.empty()) {
        const std::string_view note = next_part(message);
        const std::optional<Known> one = known(note);
        if (one ? one->is_case : kit::is_value(note)) {
            append(cases, one ? one->text : std::string(note), chinese ? "，" : ", ");
            continue;
        }
        if (nearest.empty()) nearest = note;
        if (!found) append(sentence, sentence_in_words(note), between);
        found = found || one;
    }
    // What no file tells of may be a value in many words, or a sentence: of these the nearest is meant.
    append(told, found ? sentence : sentence_in_words(nearest), between);
    if (cases.empty()) return told;
    return told + (chinese ? "（" : told.empty() ? "(" : " (") + cases + (chinese ? "）" : ")");
}

}  // namespace fiberscope::grader
