#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/words.h"

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
    const std::string total = std::to_string(state.tests);
    const std::string of_all = say(W::some_pass, std::to_string(state.passed), total);
    switch (state.mark) {
    case Mark::solved: return state.tests == 1 ? say(W::one_passes) : say(W::all_pass, total);
    case Mark::failed: return of_all;
    case Mark::waiting: return say(W::not_tried);
    case Mark::open: break;
    }
    std::string text = say(W::not_yet);
    if (StepNumber::of(state.missing) < step.order()) text += say(W::needs_step, state.missing);
    if (state.passed > 0) text += " (" + of_all + ")";
    return text;
}

void print_steps(const Settings& settings, const std::vector<Step>& steps, const std::vector<StepState>& states) {
    std::vector<std::string> titles;
    std::size_t widest = 0;
    for (const Step& step : steps) {
        titles.push_back(title_of(settings, step) + (step.challenge  ? say(W::challenge)
                                                     : step.optional ? say(W::optional_step)
                                                                     : ""));
        widest = std::max(widest, columns(titles.back()));
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (states[i].tests == 0) continue;
        constexpr const char* kMarks[] = {"✓", "·", "✗", "–"};
        const std::string pad(widest - columns(titles[i]), ' ');
        std::printf("  %s %-4s %s%s  %s\n", kMarks[static_cast<int>(states[i].mark)], steps[i].number.c_str(),
                    titles[i].c_str(), pad.c_str(), words_of(steps[i], states[i]).c_str());
    }
}

void print_line(W label, const std::string& text) { std::printf("  %s  %s\n", say(label).c_str(), text.c_str()); }

void print_next(const Settings& settings, const Step& step, bool failed) {
    std::printf("\n%s\n", say(failed ? W::repair_step : W::next_step, step.number, title_of(settings, step)).c_str());
    for (const std::string& page : step.read) print_line(W::read_label, shown(settings.lab / page_of(settings, page)));
    for (const std::string& file : step.files) print_line(W::edit_label, shown(settings.lab / file));
    if (failed)
        for (const Candidate& other : step.candidates)
            print_line(W::or_label, other.what + ", " + shown(settings.lab / other.file));
    print_line(W::type_label, "./lab check " + lab_number(settings));
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
    throw GraderError(say(W::no_such_step, only, numbers));
}

/// The failed tests after `first`, a line each.
void print_more_failures(const std::vector<Test>& tests, const std::vector<Verdict>& verdicts, std::size_t first) {
    for (std::size_t i = first + 1; i < tests.size(); ++i)
        if (is_failure(verdicts[i])) std::printf("✗ %s: %s\n", tests[i].name.c_str(), verdicts[i].headline.c_str());
}

/// The verdicts on the student's tests: after the third that hangs no other is begun. The first that hung is run once
/// more, alone.
std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests) {
    constexpr std::size_t kMostHangs = 3;
    std::vector<Verdict> verdicts = run_tests(settings, tests, [&](std::size_t, const std::vector<Verdict>& so_far) {
        return count(so_far, Result::hung) >= kMostHangs ? std::nullopt : std::optional(settings.limits);
    });
    if (const auto first = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
        first == verdicts.end() || first->result == Result::hung)
        try_alone(settings, tests, verdicts, 1);  // what failed before a hang is told, whatever that is
    if (count(verdicts, Result::hung) > 0) return verdicts;
    for (std::size_t i = 0; i < tests.size(); ++i)  // the machine was slow, and not they
        if (verdicts[i].result == Result::waiting) verdicts[i] = run_tests(settings, {tests[i]}).at(0);
    return verdicts;
}

/// Looks at the labs that this one stands on: says of the first that has a failure what that is, and returns true.
bool lab_below_is_wrong(const Settings& settings, const BuildOf& build_of) {
    for (const std::filesystem::path& lab : settings.below) {
        Settings below = settings;
        below.lab = lab;
        below.below.clear();
        below.program = settings.program.parent_path() / ("lab" + lab_number(below) + "_tests");
        if (build_of && build_of("lab" + lab_number(below) + "_tests") != 0) return true;
        if (!std::filesystem::exists(below.program)) continue;
        const std::vector<Step> steps = read_steps(lab / "steps.json");
        std::vector<Test> tests = tie(steps, list_tests(below, below.program));
        std::erase_if(tests, [](const Test& test) { return kind_of(test.name) == Kind::broad; });  // they take long
        const std::vector<Verdict> verdicts = try_tests(below, tests);
        const auto failure = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
        if (failure == verdicts.end()) continue;
        const std::size_t step = tests[static_cast<std::size_t>(failure - verdicts.begin())].step;
        const StepState state = state_of(step, tests, verdicts);
        std::printf("\n%s\n", say(W::repair_below, lab_number(below),
                                  say(W::some_of_step, std::to_string(state.passed), std::to_string(state.tests),
                                      steps[step].number))
                                  .c_str());
        print_line(W::type_label, "./lab check " + lab_number(below));
        return true;
    }
    if (!settings.below.empty()) std::printf("\n%s\n", say(W::below_is_right).c_str());
    return false;
}

/// Runs the test that failed once more, where the labs below are not the student's: if it passes there, the mistake is
/// in those, though their own tests do not find it. Says which of the two it is.
void try_on_stand_in(const Settings& settings, const Test& test, const BuildOf& build_of) {
    if (settings.stand_in.empty()) return;
    if (build_of && build_of(settings.stand_in.filename().string()) != 0) return;
    if (!std::filesystem::exists(settings.stand_in)) return;
    Test there = test;
    there.program = settings.stand_in;
    const Verdict verdict = run_tests(settings, {there}).at(0);
    std::printf("\n%s\n", say(verdict.result == Result::passed ? W::passes_on_stand_in : W::fails_on_stand_in).c_str());
}

}  // namespace

int check(const Settings& settings, const std::filesystem::path& json, const std::string& only,
          const BuildOf& build_of) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, tie(steps, list_tests(settings, settings.program)), only);
    const std::vector<Verdict> verdicts = try_tests(settings, tests);
    if (only.empty()) write_json(json, "check", settings, tests, verdicts);

    std::vector<StepState> states;
    for (std::size_t i = 0; i < steps.size(); ++i) states.push_back(state_of(i, tests, verdicts));
    std::printf("%s\n\n", say(W::your_files, settings.lab.filename().string()).c_str());
    print_steps(settings, steps, states);

    const auto failure = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
    if (failure != verdicts.end()) {
        const Test& test = tests[static_cast<std::size_t>(failure - verdicts.begin())];
        std::printf("\n%s", story(settings, test, *failure).c_str());
        if (!only.empty()) print_more_failures(tests, verdicts, static_cast<std::size_t>(failure - verdicts.begin()));
        if (!lab_below_is_wrong(settings, build_of)) {
            try_on_stand_in(settings, test, build_of);
            print_next(settings, steps[test.step], true);
        }
        return 1;
    }
    if (const Step* step = next_step(steps, states)) {
        if (step->optional && only.empty()) std::printf("\n%s\n", say(W::rest_is_optional).c_str());
        print_next(settings, *step, false);
        return step->optional ? 0 : 1;
    }
    if (!only.empty()) return 0;
    std::printf("\n%s\n", say(W::solved).c_str());
    print_line(W::watch_it, "./lab run " + lab_number(settings) + " --mine");
    return 0;
}

}  // namespace fiberscope::grader
