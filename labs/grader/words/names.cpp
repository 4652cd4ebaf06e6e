#include "labs/grader/words/names.h"

#include <functional>
#include <map>

#include "labs/grader/words/pairs.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

std::map<std::string, std::string, std::less<>> chinese_names;

/// Empty if there is none.
std::string chinese_of(std::string_view name) {
    const auto found = chinese_names.find(name);
    return found == chinese_names.end() ? "" : found->second;
}

}  // namespace

void learn_names(const std::filesystem::path& file) {
    read_pairs(file, [](const std::string& english, const std::string& chinese) { chinese_names[english] = chinese; });
}

std::string name_in_words(std::string_view name) {
    constexpr std::string_view kBehindBeginning = ": ";
    const std::size_t at = name.find(' ');
    if (language() != Language::chinese || at == name.npos) return std::string(name);
    const std::string_view number = name.substr(0, at + 1), rest = name.substr(at + 1);
    if (const std::string whole = chinese_of(rest); !whole.empty()) return std::string(number) + whole;
    const std::size_t colon = rest.find(kBehindBeginning);
    if (colon == rest.npos) return std::string(name);
    const std::string beginning = chinese_of(rest.substr(0, colon + 1)),
                      other = chinese_of(rest.substr(colon + kBehindBeginning.size()));
    return beginning.empty() || other.empty() ? std::string(name) : std::string(number) + beginning + other;
}

}  // namespace fiberscope::grader
