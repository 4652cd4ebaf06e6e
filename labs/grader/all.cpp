#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {

namespace {

/// Why this verdict on an untouched exercise is wrong; empty if it is right.
std::string fault_of_starter(const std::vector<Step>& steps, const Test& test, const Verdict& verdict) {
    if (verdict.result == Result::passed)
        return "passes on untouched exercise files: it checks nothing of the student's";
    if (verdict.result == Result::left_out) return "";
    if (verdict.result != Result::not_implemented)
        return "must say \"not implemented\" on untouched exercise files, but: " + verdict.headline;
    const auto named = std::ranges::find(steps, verdict.step, &Step::number);
    if (named == steps.end()) return "names step \"" + verdict.step + "\", which steps.json does not have";
    if (named->order() > steps[test.step].order())
        return "needs step " + verdict.step + ", which comes after its own: the student cannot solve it in order";
    return "";
}

}  // namespace

int all(const Settings& settings, bool untouched) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, list_tests(settings, steps), settings.only);
    const std::vector<Verdict> verdicts = try_tests(settings, tests, tests.size());
    write_report(settings, settings.only, tests, verdicts);
    print_steps(steps, states_of(steps, tests, verdicts));
    std::size_t passed = 0, failed = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        const Verdict& verdict = verdicts[i];
        const std::string fault = untouched ? fault_of_starter(steps, tests[i], verdict) : "";
        if (!fault.empty() || (!untouched && verdict.result != Result::passed && verdict.result != Result::left_out))
            std::printf("\n%s%s", story(settings, tests[i], verdict).c_str(), fault.c_str()), ++failed;
        else if (verdict.result == Result::left_out)
            std::printf("– %s: %s\n", name_in_words(tests[i].name).c_str(), verdict.headline.c_str());
        else
            ++passed;
    }
    std::printf("%s: %zu passed, %zu failed\n", settings.lab.filename().c_str(), passed, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace fiberscope::grader
