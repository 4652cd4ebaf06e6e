// Where the lab's handout has a Chinese version, a student who reads Chinese is sent to that.
#include <fstream>

#include "labs/grader/session.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

constexpr std::string_view kPage = "README.md", kChinesePage = "README.zh.md";

/// A heading as plain text: without the marks of code, and without the words that `check` adds itself.
std::string plain(std::string text) {
    for (std::size_t at; (at = text.find('`')) != text.npos;) text.erase(at, 1);
    if (const std::string added = say(W::challenge); text.ends_with(added)) text.erase(text.size() - added.size());
    return text;
}

}  // namespace

std::string title_of(const Settings& settings, const Step& step) {
    if (language() != Language::chinese) return step.title;
    std::ifstream page(settings.lab / kChinesePage);
    const std::string start = "## 步骤 " + step.number + "：";
    for (std::string line; std::getline(page, line);)
        if (line.starts_with(start)) return plain(line.substr(start.size()));
    return step.title;
}

std::string page_of(const Settings& settings, const std::string& page) {
    if (language() != Language::chinese || !page.starts_with(kPage)) return page;
    if (!std::filesystem::exists(settings.lab / kChinesePage)) return page;
    return std::string(kChinesePage) + page.substr(kPage.size());
}

}  // namespace fiberscope::grader
