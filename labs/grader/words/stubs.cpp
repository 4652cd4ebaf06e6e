#include "labs/grader/words/stubs.h"

#include <functional>
#include <map>

#include "labs/grader/words/pairs.h"
#include "labs/grader/words/sentences.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

std::map<std::string, std::string, std::less<>> chinese_stubs;

/// The longest beginning that is learned; what is behind it was thrown. Empty if none is.
std::string task_in_words(std::string_view task) {
    for (std::size_t end = task.size(); end != task.npos; end = end == 0 ? task.npos : task.rfind("; ", end - 1)) {
        const auto found = chinese_stubs.find(task.substr(0, end));
        if (found == chinese_stubs.end()) continue;
        return end == task.size() ? found->second : found->second + "；" + sentence_in_words(task.substr(end + 2));
    }
    return "";
}

}  // namespace

void learn_stubs(const std::filesystem::path& file) {
    read_pairs(file, [](const std::string& english, const std::string& chinese) { chinese_stubs[english] = chinese; });
}

std::string stub_in_words(std::string_view what) {
    constexpr std::string_view kBehindName = ": ";
    const std::size_t colon = what.find(kBehindName);
    if (language() != Language::chinese || colon == what.npos) return std::string(what);
    const std::string chinese = task_in_words(what.substr(colon + kBehindName.size()));
    return chinese.empty() ? std::string(what) : std::string(what.substr(0, colon)) + "：" + chinese;
}

}  // namespace fiberscope::grader
