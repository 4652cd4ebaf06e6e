// std::regex, optimised: the tests are not, and of several copies of a template's function the linker takes the first.
#include <regex>
#include <string>

namespace fiberscope::testing {

/// Uses whatever the tests use; it is never called.
bool uses_regular_expressions(const std::string& text, const std::regex& pattern) {
    std::smatch found;
    const std::sregex_iterator first(text.begin(), text.end(), pattern);
    return std::regex_search(text, found, pattern) || std::regex_match(text, found, pattern) ||
           std::regex_search(text, pattern) || std::regex_match(text, pattern) || first != std::sregex_iterator() ||
           std::regex_replace(text, pattern, "") == std::regex_replace(text, std::regex(text), text);
}

}  // namespace fiberscope::testing
