#include <algorithm>
#include <cstdio>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

std::string words_of(const Step& step, const StepState& state) {
    const std::string total = std::to_string(state.tests);
    const std::string of_all = says("{0} of {1} tests pass", std::to_string(state.passed), total);
    const std::string rest = state.left_out.empty() ? "" : says("; others are {0}", state.left_out);
    switch (state.mark) {
    case Mark::solved: return (state.tests == 1 ? says("its test passes") : says("all {0} tests pass", total)) + rest;
    case Mark::failed: return of_all;
    case Mark::waiting: return says("not tried: three earlier tests did not end");
    case Mark::open: break;
    }
    // It may be written, but its tests reached an unwritten earlier step.
    const bool needs_another = StepNumber::of(state.missing) < step.order();
    std::string text = needs_another ? says("needs step {0} first", state.missing) : says("not implemented yet");
    if (state.passed > 0) text += " (" + of_all + ")";
    return text;
}

}  // namespace

std::vector<StepState> states_of(const std::vector<Step>& steps, const std::vector<Test>& tests,
                                 const std::vector<Verdict>& verdicts) {
    std::vector<StepState> states(steps.size());
    for (std::size_t i = 0; i < tests.size(); ++i) {
        StepState& state = states[tests[i].step];
        const Verdict& verdict = verdicts[i];
        if (verdict.result == Result::left_out) {
            state.left_out = verdict.headline;
            continue;
        }
        ++state.tests;
        if (verdict.result == Result::passed) {
            ++state.passed;
        } else if (verdict.result == Result::not_implemented) {
            state.mark = std::max(state.mark, Mark::open);
            if (state.missing.empty() || StepNumber::of(verdict.step) < StepNumber::of(state.missing))
                state.missing = verdict.step;
        } else {
            state.mark = std::max(state.mark, verdict.result == Result::waiting ? Mark::waiting : Mark::failed);
        }
    }
    return states;
}

void print_steps(const std::vector<Step>& steps, const std::vector<StepState>& states) {
    std::vector<std::string> titles;
    std::size_t widest = 0;
    for (const Step& step : steps) {
        titles.push_back(sentence_in_words(step.title) + (step.challenge  ? says(" (challenge)")
                                                          : step.optional ? says(" (optional)")
                                                                          : ""));
        widest = std::max(widest, columns(titles.back()));
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (states[i].tests == 0) continue;
        constexpr const char* kMarks[] = {"✓", "–", "·", "✗"};
        const std::string pad(widest - columns(titles[i]), ' ');
        std::printf("  %s %-4s %s%s  %s\n", kMarks[static_cast<int>(states[i].mark)], steps[i].number.c_str(),
                    titles[i].c_str(), pad.c_str(), words_of(steps[i], states[i]).c_str());
    }
}

std::vector<Test> tests_about(const std::vector<Step>& steps, std::vector<Test> tests, const std::string& only) {
    const bool one_step = std::ranges::find(steps, only, &Step::number) != steps.end();
    std::erase_if(tests, [&](const Test& test) {
        if (one_step) return steps[test.step].number != only;
        return test.name.find(only) == std::string::npos && name_in_words(test.name).find(only) == std::string::npos;
    });
    if (!tests.empty()) return tests;
    std::string numbers;
    for (const Step& step : steps) numbers += " " + step.number;
    throw GraderError(says("No step and no test of the lab is called \"{0}\". The steps are{1}.", only, numbers));
}

namespace {

void print_line(const std::string& text) { std::printf("\n%s\n", text.c_str()); }
void print_pointer(Text label, const std::string& to) { std::printf("  %s  %s\n", says(label).c_str(), to.c_str()); }
void print_check(const std::string& lab) { print_pointer(mark("type"), "./lab check " + lab); }

/// The requirements of a solved step that its tests do not check.
void print_unseen(const Step& step) {
    if (!step.unseen.empty()) print_line(says("Required by step {0}, but not checked by its tests:", step.number));
    for (const Unseen& one : step.unseen) {
        const std::string text = sentence_in_words(one.text);
        std::printf("  %s\n", one.from.empty() ? says("{0} (no test checks it)", text).c_str()
                                               : says("{0} (checked from {1} on)", text, one.from).c_str());
    }
}

/// A page of the lab, in Chinese where that is the language and there is one.
std::string page_of(const Settings& settings, const std::string& page) {
    const std::size_t end = page.find(".md");
    if (language() != Language::chinese || end == page.npos) return page;
    if (!std::filesystem::exists(settings.lab / (page.substr(0, end) + ".zh.md"))) return page;
    return page.substr(0, end) + ".zh" + page.substr(end);
}

/// `failed`: the name of the reported test; empty if none failed.
void print_next(const Settings& settings, const Step& step, Text which, const std::string& failed = "") {
    print_line(says(which, step.number, sentence_in_words(step.title)));
    for (const std::string& page : step.read)
        print_pointer(mark("read"), shown(settings.lab / page_of(settings, page)));
    for (const std::string& file : step.files) print_pointer(mark("edit"), shown(settings.lab / file));
    for (const Candidate& other : step.candidates)
        if (!failed.empty() && (other.test.empty() || other.test == failed))
            print_pointer(mark("or  "), other.what + ", " + shown(settings.lab / other.file));
    print_check(lab_number(settings));
}

/// The first step of a lab below that a test of this lab reached and that is not written yet; empty if there is none.
std::string missing_below(const std::vector<Step>& steps, const std::vector<StepState>& states) {
    std::string first;
    for (const StepState& state : states)
        if (state.mark == Mark::open && StepNumber::of(state.missing) < steps.front().order() &&
            (first.empty() || StepNumber::of(state.missing) < StepNumber::of(first)))
            first = state.missing;
    return first;
}

/// `step`, or an earlier missing step that its tests reached: when `step` alone was checked.
const Step& to_do_first(const std::vector<Step>& steps, const Step& step, const StepState& state) {
    if (state.mark != Mark::open) return step;
    const auto missing = std::ranges::find(steps, state.missing, &Step::number);
    return missing != steps.end() && missing->order() < step.order() ? *missing : step;
}

/// The step to work on: the first unsolved one, optional ones last. None if all are solved.
const Step* next_step(const std::vector<Step>& steps, const std::vector<StepState>& states) {
    for (const bool optional : {false, true})
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].optional == optional && states[i].mark != Mark::solved)
                return &to_do_first(steps, steps[i], states[i]);
    return nullptr;
}

/// Whether a verdict says only that the test did not end.
bool only_hangs(const Verdict& verdict) { return verdict.result == Result::hung && !verdict.has_failures; }

/// The failure to report: the first in the step's order. Among tests that a step does not list, hangs come last because
/// they say least. Returns the number of verdicts if there is none.
std::size_t failure_to_tell(const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    const auto failure = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
    const auto first = static_cast<std::size_t>(failure - verdicts.begin());
    if (failure == verdicts.end() || tests[first].listed || !only_hangs(*failure)) return first;
    for (std::size_t i = first + 1; i < tests.size() && tests[i].step == tests[first].step; ++i)
        if (is_failure(verdicts[i]) && !only_hangs(verdicts[i])) return i;
    return first;
}

/// Prints the next step if no test fails; returns the exit status.
int print_what_is_next(const Settings& settings, const std::vector<Step>& steps, const std::vector<StepState>& states) {
    if (const std::string missing = missing_below(steps, states); !missing.empty()) {
        const std::string lab = "0" + missing.substr(0, missing.find('.'));
        print_line(
            says("Lab {0}, which this lab uses, is not solved: its step {1} is open. Solve that first.", lab, missing));
        print_check(lab);
        return 1;
    }
    if (const Step* step = next_step(steps, states)) {
        const bool rest_is_optional = step->optional && settings.only.empty();
        if (rest_is_optional) print_line(says("The lab is solved; the remaining steps are optional."));
        print_next(settings, *step, rest_is_optional ? mark("Optional: step {0}, {1}") : mark("Next: step {0}, {1}"));
        return step->optional ? 0 : 1;
    }
    if (settings.only.empty()) {
        print_line(says("The lab is solved."));
        print_pointer(mark("watch it"), "./lab run " + lab_number(settings) + " --mine");
    }
    return 0;
}

}  // namespace

int check(const Settings& settings) {
    constexpr std::size_t kMostHangs = 3;
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, list_tests(settings, steps), settings.only);
    const auto one_step = std::ranges::find(steps, settings.only, &Step::number);
    const std::vector<Verdict> verdicts = try_tests(settings, tests, kMostHangs);
    if (settings.only.empty() || one_step != steps.end()) write_report(settings, settings.only, tests, verdicts);
    const std::vector<StepState> states = states_of(steps, tests, verdicts);
    std::printf("%s\n\n", says("Lab {0}, your files in exercise/", settings.lab.filename().string()).c_str());
    print_steps(steps, states);
    const std::size_t told = failure_to_tell(tests, verdicts);
    if (told == verdicts.size()) {
        if (one_step != steps.end() && states[tests[0].step].mark == Mark::solved) print_unseen(*one_step);
        return print_what_is_next(settings, steps, states);
    }
    const Test& test = tests[told];
    std::printf("\n%s", story(settings, test, verdicts[told]).c_str());
    std::fflush(stdout);  // the next part may take long
    if (!print_blame(settings, test)) print_next(settings, steps[test.step], mark("Fix step {0}, {1}"), test.name);
    return 1;
}

}  // namespace fiberscope::grader
