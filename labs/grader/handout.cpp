// Where the lab's handout has a Chinese version, a student who reads Chinese is sent to that.
#include "labs/grader/session.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

constexpr std::string_view kPage = "README.md", kChinesePage = "README.zh.md";

}  // namespace

std::string page_of(const Settings& settings, const std::string& page) {
    if (language() != Language::chinese || !page.starts_with(kPage)) return page;
    if (!std::filesystem::exists(settings.lab / kChinesePage)) return page;
    return std::string(kChinesePage) + page.substr(kPage.size());
}

}  // namespace fiberscope::grader
