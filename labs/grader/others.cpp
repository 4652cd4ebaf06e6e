// The failures beside the one that is told in full: what they say, each thing once.
#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/words/names.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

/// One sentence: the test's own where an assertion failed and has one.
std::string in_a_sentence(const Verdict& verdict) {
    const bool has_own = verdict.result == Result::failed && !verdict.details.empty();
    return has_own && !verdict.details.front().starts_with(' ') ? verdict.details.front() : verdict.headline;
}

/// Tests that fail and say the same.
struct Group {
    std::string sentence;
    std::size_t first = 0, count = 0;
};

std::vector<Group> groups_of(const std::vector<Verdict>& verdicts, std::size_t told) {
    std::vector<Group> groups{{in_a_sentence(verdicts[told]), told, 0}};
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (!is_failure(verdicts[i])) continue;
        const std::string sentence = in_a_sentence(verdicts[i]);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.sentence == sentence; });
        if (group == groups.end()) group = groups.insert(group, {sentence, i, 0});
        ++group->count;
    }
    return groups;
}

}  // namespace

void print_other_failures(const std::vector<Test>& tests, const std::vector<Verdict>& verdicts, std::size_t told) {
    for (const Group& group : groups_of(verdicts, told)) {
        if (group.first != told)
            std::printf("✗ %s: %s\n", name_in_words(tests[group.first].name).c_str(), group.sentence.c_str());
        if (group.count > 1) std::printf("  %s\n", say(W::others_say_so, std::to_string(group.count - 1)).c_str());
    }
    if (const std::size_t untried = count(verdicts, Result::waiting); untried > 0)
        std::printf("%s\n", say(W::others_not_tried, std::to_string(untried)).c_str());
}

}  // namespace fiberscope::grader
