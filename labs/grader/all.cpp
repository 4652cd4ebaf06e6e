#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {

int all(const Settings& settings) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, list_tests(settings, steps), settings.only);
    const std::vector<Verdict> verdicts = try_tests(settings, tests, tests.size());
    write_report(settings, settings.only, tests, verdicts);
    print_steps(steps, states_of(steps, tests, verdicts));
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (verdicts[i].result == Result::left_out)
            std::printf("– %s: %s\n", name_in_words(tests[i].name).c_str(), verdicts[i].headline.c_str());
        else if (verdicts[i].result != Result::passed)
            std::printf("\n%s", story(settings, tests[i], verdicts[i]).c_str());
    const std::size_t passed = count(verdicts, Result::passed);
    const std::size_t failed = tests.size() - passed - count(verdicts, Result::left_out);
    std::printf("%s: %zu passed, %zu failed\n", settings.lab.filename().c_str(), passed, failed);
    return failed == 0 ? 0 : 1;
}

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

int starter(const Settings& settings) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = list_tests(settings, steps);
    const std::vector<Verdict> verdicts = run_tests(settings, tests);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        const std::string fault = fault_of_starter(steps, tests[i], verdicts[i]);
        if (fault.empty()) continue;
        ++wrong;
        std::printf("✗ \"%s\" %s.\n", tests[i].name.c_str(), fault.c_str());
        for (const std::string& line : verdicts[i].details) std::printf("    %s\n", line.c_str());
    }
    std::printf("%s starter, \"not implemented\" counts as passed: %zu passed, %zu failed\n",
                settings.lab.filename().c_str(), tests.size() - wrong, wrong);
    return wrong == 0 ? 0 : 1;
}

}  // namespace fiberscope::grader
