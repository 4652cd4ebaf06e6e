// The failures beside the one that is told in full: what they say, each cause once, and no more than a few.
#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

/// One sentence: the test's own where an assertion failed and has one.
std::string in_a_sentence(const Verdict& verdict) {
    const bool has_own = verdict.result == Result::failed && !verdict.details.empty();
    return has_own && !verdict.details.front().starts_with(' ') ? verdict.details.front() : verdict.headline;
}

/// What is left of a sentence without its numbers and what stands in quotation marks: two tests that say the same of
/// coroutines with other names say the same.
std::string without_names(std::string_view sentence) {
    std::string left;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const char c = sentence[i];
        const bool opens = (c == '\'' || c == '"') && (i == 0 || sentence[i - 1] == ' ');
        const std::size_t end = opens ? sentence.find(c, i + 1) : sentence.npos;
        if (end != sentence.npos)
            i = end;
        else if (c < '0' || c > '9')
            left += c;
    }
    return left;
}

constexpr std::size_t kMostGroups = 3;  ///< told beside the first

/// The same for tests that fail for the same reason, as far as they say it.
std::string key_of(const Verdict& verdict) {
    return verdict.cause.empty() ? without_names(in_a_sentence(verdict)) : verdict.cause;
}

/// Tests that fail for the same reason.
struct Group {
    std::string key, sentence;
    std::size_t first = 0, count = 0;
};

std::vector<Group> groups_of(const std::vector<Verdict>& verdicts, std::size_t told) {
    std::vector<Group> groups{{key_of(verdicts[told]), in_a_sentence(verdicts[told]), told, 0}};
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (!is_failure(verdicts[i])) continue;
        const std::string key = key_of(verdicts[i]);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.key == key; });
        if (group == groups.end()) group = groups.insert(group, {key, in_a_sentence(verdicts[i]), i, 0});
        ++group->count;
    }
    return groups;
}

void print_group(const std::vector<Test>& tests, const Group& group, bool is_told) {
    if (!is_told)
        std::printf("%s\n", says("✗ {0}: {1}", name_in_words(tests[group.first].name), group.sentence).c_str());
    if (group.count > 1)
        std::printf("  %s\n", says("other tests that say the same: {0}", std::to_string(group.count - 1)).c_str());
}

}  // namespace

void print_other_failures(const std::vector<Test>& tests, const std::vector<Verdict>& verdicts, std::size_t told) {
    const std::vector<Group> groups = groups_of(verdicts, told);
    std::size_t rest = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i <= kMostGroups)
            print_group(tests, groups[i], i == 0);
        else
            rest += groups[i].count;
    }
    if (rest > 0)
        std::printf("%s\n", says("✗ {0} other tests fail. They may all have the same cause: repair the first, then "
                                 "check again.",
                                 std::to_string(rest))
                                .c_str());
    if (const std::size_t untried = count(verdicts, Result::waiting); untried > 0)
        std::printf(
            "%s\n",
            says("Tests that were not tried, because three others did not end: {0}", std::to_string(untried)).c_str());
}

}  // namespace fiberscope::grader
