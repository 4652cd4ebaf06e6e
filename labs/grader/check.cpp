#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"

namespace fiberscope::grader {
namespace {

enum class Mark { solved, open, failed, waiting };

/// One step of the student's lab.
struct StepState {
    Mark mark = Mark::solved;
    std::size_t tests = 0, passed = 0;
    std::string missing;  ///< open: the earliest step that its tests came to and found missing
};

StepState state_of(std::size_t step, const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    StepState state;
    bool failed = false, waiting = false;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        if (tests[i].step != step) continue;
        const Verdict& verdict = verdicts[i];
        ++state.tests;
        if (verdict.result == Result::passed) {
            ++state.passed;
        } else if (verdict.result == Result::not_implemented) {
            if (state.missing.empty() || StepNumber::of(verdict.step) < StepNumber::of(state.missing))
                state.missing = verdict.step;
        } else if (verdict.result == Result::waiting) {
            waiting = true;
        } else {
            failed = true;
        }
    }
    if (failed)
        state.mark = Mark::failed;
    else if (!state.missing.empty())
        state.mark = Mark::open;
    else if (waiting)
        state.mark = Mark::waiting;
    return state;
}

std::string words_of(const Step& step, const StepState& state) {
    const std::string of_all = std::to_string(state.passed) + " of " + std::to_string(state.tests) + " tests pass";
    switch (state.mark) {
    case Mark::solved:
        return state.tests == 1 ? "its test passes" : "all " + std::to_string(state.tests) + " tests pass";
    case Mark::failed: return of_all;
    case Mark::waiting: return "not tried: an earlier test did not end";
    case Mark::open: break;
    }
    std::string text = "not implemented yet";
    if (StepNumber::of(state.missing) < step.order()) text += ", needs step " + state.missing + " first";
    if (state.passed > 0) text += " (" + of_all + ")";
    return text;
}

/// The printed width of UTF-8 text, as far as a table needs it.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void print_steps(const std::vector<Step>& steps, const std::vector<StepState>& states) {
    const auto title = [](const Step& s) {
        return s.title + (s.challenge ? " (challenge)" : s.optional ? " (optional)" : "");
    };
    std::size_t widest = 0;
    for (const Step& step : steps) widest = std::max(widest, width(title(step)));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (states[i].tests == 0) continue;
        constexpr const char* kMarks[] = {"✓", "·", "✗", "–"};
        const std::string pad(widest - width(title(steps[i])), ' ');
        std::printf("  %s %-4s %s%s  %s\n", kMarks[static_cast<int>(states[i].mark)], steps[i].number.c_str(),
                    title(steps[i]).c_str(), pad.c_str(), words_of(steps[i], states[i]).c_str());
    }
}

void print_next(const Settings& settings, const Step& step, bool failed) {
    const std::string again = "./lab check " + lab_number(settings);
    std::printf("\n%s %s, %s\n", failed ? "Repair step" : "Next: step", step.number.c_str(), step.title.c_str());
    for (const std::string& page : step.read) std::printf("  read  %s\n", shown(settings.lab / page).c_str());
    for (const std::string& file : step.files) std::printf("  edit  %s\n", shown(settings.lab / file).c_str());
    std::printf("  type  %s\n", again.c_str());
}

/// The step to work on: the first that is not solved, the optional ones last. None if all are solved.
const Step* next_step(const std::vector<Step>& steps, const std::vector<StepState>& states) {
    for (const bool optional : {false, true})
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].optional == optional && states[i].mark != Mark::solved) return &steps[i];
    return nullptr;
}

bool is_failure(const Verdict& verdict) {
    return verdict.result != Result::passed && verdict.result != Result::not_implemented &&
           verdict.result != Result::waiting;
}

bool is_about(const Test& test, const std::vector<Step>& steps, const std::string& only) {
    return only.empty() || steps[test.step].number == only || test.name.find(only) != std::string::npos;
}

/// The tests of step `only` ("4.2"), or those whose name has `only` in it; all if it is empty. Throws GraderError if
/// there are none.
std::vector<Test> tests_about(const std::vector<Step>& steps, std::vector<Test> tests, const std::string& only) {
    tests.erase(
        std::remove_if(tests.begin(), tests.end(), [&](const Test& test) { return !is_about(test, steps, only); }),
        tests.end());
    if (!tests.empty()) return tests;
    std::string numbers;
    for (const Step& step : steps) numbers += " " + step.number;
    throw GraderError("No step and no test of the lab is called \"" + only + "\". The steps are" + numbers + ".");
}

/// The failed tests after `first`, a line each.
void print_more_failures(const std::vector<Test>& tests, const std::vector<Verdict>& verdicts, std::size_t first) {
    for (std::size_t i = first + 1; i < tests.size(); ++i)
        if (is_failure(verdicts[i])) std::printf("✗ %s: %s\n", tests[i].name.c_str(), verdicts[i].headline.c_str());
}

/// The verdicts on the student's tests: after the first that hangs no other is begun.
std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests) {
    return run_tests(settings, tests, [&](std::size_t, const std::vector<Verdict>& so_far) {
        return count(so_far, Result::hung) > 0 ? std::nullopt : std::optional(settings.limits);
    });
}

}  // namespace

int check(const Settings& settings, const std::filesystem::path& json, const std::string& only) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, tie(steps, list_tests(settings, settings.program)), only);
    const std::vector<Verdict> verdicts = try_tests(settings, tests);
    if (only.empty()) write_json(json, "check", settings, tests, verdicts);

    std::vector<StepState> states;
    for (std::size_t i = 0; i < steps.size(); ++i) states.push_back(state_of(i, tests, verdicts));
    std::printf("Lab %s, your files in exercise/\n\n", settings.lab.filename().c_str());
    print_steps(steps, states);

    const auto failure = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
    if (failure != verdicts.end()) {
        const Test& test = tests[static_cast<std::size_t>(failure - verdicts.begin())];
        std::printf("\n%s", story(settings, test, *failure).c_str());
        if (!only.empty()) print_more_failures(tests, verdicts, static_cast<std::size_t>(failure - verdicts.begin()));
        print_next(settings, steps[test.step], true);
        return 1;
    }
    if (const Step* step = next_step(steps, states)) {
        if (step->optional && only.empty()) std::printf("\nThe lab is solved; what is left is optional.\n");
        print_next(settings, *step, false);
        return step->optional ? 0 : 1;
    }
    if (!only.empty()) return 0;
    std::printf("\nThe lab is solved.\n  watch it  ./lab run %s --mine\n", lab_number(settings).c_str());
    return 0;
}

}  // namespace fiberscope::grader
