// Of a step that is checked alone: which of the steps that it needs fail.
#include <algorithm>

#include "labs/grader/modes.h"

namespace fiberscope::grader {
namespace {

bool may_need(const Step& step, const Step& earlier) {
    if (step.uses) return std::ranges::find(*step.uses, earlier.number) != step.uses->end();
    return !earlier.optional && earlier.order() < step.order();
}

/// Whether a test is one of the few that show best whether its step works.
bool is_representative(const Step& step, const Test& test) {
    return step.first.empty() ? kind_of(test.name) == Kind::pinpoint : test.listed;
}

}  // namespace

std::vector<std::size_t> failed_earlier_steps(const Settings& settings, const std::vector<Step>& steps,
                                              std::size_t step) {
    std::vector<Test> tests = tie(steps, list_tests(settings, settings.program));
    std::erase_if(tests, [&](const Test& test) {
        return !may_need(steps[step], steps[test.step]) || !is_representative(steps[test.step], test);
    });
    const std::vector<Verdict> verdicts = try_tests(settings, tests);
    std::vector<std::size_t> failed;
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (is_failure(verdicts[i]) && (failed.empty() || failed.back() != tests[i].step))
            failed.push_back(tests[i].step);
    std::sort(failed.begin(), failed.end());
    failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
    return failed;
}

}  // namespace fiberscope::grader
