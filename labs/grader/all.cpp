#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {

std::size_t count(const std::vector<Verdict>& verdicts, Result result) {
    return static_cast<std::size_t>(
        std::count_if(verdicts.begin(), verdicts.end(), [=](const Verdict& v) { return v.result == result; }));
}

int all(const Settings& settings, const std::filesystem::path& json) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tie(steps, list_tests(settings, settings.program));
    std::vector<Verdict> verdicts = run_tests(settings, tests);
    const std::vector<std::string> hung_once = try_alone(settings, tests, verdicts, 5);
    write_json(json, "all", settings, tests, verdicts);
    for (std::size_t s = 0; s < steps.size(); ++s) {
        std::size_t total = 0, passed = 0;
        for (std::size_t i = 0; i < tests.size(); ++i) {
            if (tests[i].step != s || verdicts[i].result == Result::left_out) continue;
            ++total;
            if (verdicts[i].result == Result::passed) ++passed;
        }
        std::printf("%s %s %s: %s\n", passed == total ? "✓" : "✗", steps[s].number.c_str(),
                    sentence_in_words(steps[s].title).c_str(),
                    says("{0} of {1} tests pass", std::to_string(passed), std::to_string(total)).c_str());
    }
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (verdicts[i].result == Result::left_out)
            std::printf("– %s: %s\n", name_in_words(tests[i].name).c_str(), verdicts[i].headline.c_str());
        else if (verdicts[i].result != Result::passed)
            std::printf("\n%s", story(settings, tests[i], verdicts[i]).c_str());
    for (const std::string& hung : hung_once)
        std::printf("\nHung once, and not when it ran again, alone:\n%s", hung.c_str());
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
    const auto named =
        std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.number == verdict.step; });
    if (named == steps.end()) return "names step \"" + verdict.step + "\", which steps.json does not have";
    if (named->order() > steps[test.step].order())
        return "needs step " + verdict.step + ", which comes after its own: the student cannot solve it in order";
    return "";
}

}  // namespace

int starter(const Settings& settings, const std::filesystem::path& json) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tie(steps, list_tests(settings, settings.program));
    const std::vector<Verdict> verdicts = run_tests(settings, tests);
    write_json(json, "starter", settings, tests, verdicts);
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

int once(const Settings& settings, const std::filesystem::path& json, const std::string& only, bool until_failure) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, tie(steps, list_tests(settings, settings.program)), only);
    const auto is_well = [](const Verdict& v) { return v.result == Result::passed || v.result == Result::left_out; };
    const auto ended = [=](const Verdict& v) { return !is_well(v) && v.result != Result::waiting; };
    const auto limits = [&](std::size_t, const std::vector<Verdict>& so_far) -> std::optional<Limits> {
        if (until_failure && std::any_of(so_far.begin(), so_far.end(), ended)) return std::nullopt;
        return settings.limits;
    };
    const std::vector<Verdict> verdicts = run_tests(settings, tests, limits);
    write_json(json, "once", settings, tests, verdicts);
    return std::all_of(verdicts.begin(), verdicts.end(), is_well) ? 0 : 1;
}

}  // namespace fiberscope::grader
