#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

#include "labs/grader/below.h"
#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

enum class Mark { solved, open, failed, waiting };

/// One step of the student's lab.
struct StepState {
    Mark mark = Mark::solved;
    std::size_t tests = 0, passed = 0;
    std::string missing;   ///< open: the earliest missing step that its tests reached
    std::string left_out;  ///< why some of its tests were skipped; these are not in `tests`
};

/// Whether a step belongs to a lab below ("1.3" in lab 04).
bool is_below(const std::vector<Step>& steps, const std::string& step) {
    return !step.empty() && StepNumber::of(step) < steps.front().order();
}

StepState state_of(std::size_t step, const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    StepState state;
    bool failed = false, waiting = false;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        if (tests[i].step != step) continue;
        const Verdict& verdict = verdicts[i];
        if (verdict.result == Result::left_out) {
            state.left_out = verdict.headline;
            continue;
        }
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
    const std::string of_all = says("{0} of {1} tests pass", std::to_string(state.passed), total);
    const std::string rest = state.left_out.empty() ? "" : says("; others are {0}", state.left_out);
    switch (state.mark) {
    case Mark::solved: return (state.tests == 1 ? says("its test passes") : says("all {0} tests pass", total)) + rest;
    case Mark::failed: return of_all;
    case Mark::waiting: return says("not tried: three earlier tests did not end");
    case Mark::open: break;
    }
    // It may be written, but its tests reached an earlier step that is not.
    const bool needs_another = StepNumber::of(state.missing) < step.order();
    std::string text = needs_another ? says("needs step {0} first", state.missing) : says("not implemented yet");
    if (state.passed > 0) text += " (" + of_all + ")";
    return text;
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
        constexpr const char* kMarks[] = {"✓", "·", "✗", "–"};
        const std::string pad(widest - columns(titles[i]), ' ');
        std::printf("  %s %-4s %s%s  %s\n", kMarks[static_cast<int>(states[i].mark)], steps[i].number.c_str(),
                    titles[i].c_str(), pad.c_str(), words_of(steps[i], states[i]).c_str());
    }
}

/// For the solved steps (`steps` has a state for each): requirements that their tests do not check, while the step
/// whose tests do is not solved. Those that no test checks are only mentioned when a step is checked `alone`.
std::string unseen_in_words(const std::vector<Step>& steps, const std::vector<StepState>& states, bool alone) {
    const auto is_solved = [&](std::size_t i) { return states[i].tests > 0 && states[i].mark == Mark::solved; };
    const auto is_seen = [&](const std::string& by) {
        const auto step = std::ranges::find(steps, by, &Step::number);
        return step != steps.end() && is_solved(static_cast<std::size_t>(step - steps.begin()));
    };
    std::string all;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::string of_step;
        for (const Unseen& one : steps[i].unseen) {
            if (!is_solved(i) || (one.from.empty() ? !alone : is_seen(one.from))) continue;
            const std::string text = sentence_in_words(one.text);
            of_step += "  " +
                       (one.from.empty() ? says("{0} (no test sees it)", text)
                                         : says("{0} (checked from {1} on)", text, one.from)) +
                       "\n";
        }
        if (!of_step.empty())
            all += "\n" + says("What step {0} asks for and its tests cannot see:", steps[i].number) + "\n" + of_step;
    }
    return all;
}

/// A page of the lab, in Chinese where that is the language and there is one.
std::string page_of(const Settings& settings, const std::string& page) {
    const std::size_t end = page.find(".md");
    if (language() != Language::chinese || end == page.npos) return page;
    if (!std::filesystem::exists(settings.lab / (page.substr(0, end) + ".zh.md"))) return page;
    return page.substr(0, end) + ".zh" + page.substr(end);
}

void print_line(const std::string& text) { std::printf("\n%s\n", text.c_str()); }
void print_pointer(Text label, const std::string& to) { std::printf("  %s  %s\n", says(label).c_str(), to.c_str()); }
void print_check(const std::string& lab) { print_pointer(mark("type"), "./lab check " + lab); }

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
        if (state.mark == Mark::open && is_below(steps, state.missing) &&
            (first.empty() || StepNumber::of(state.missing) < StepNumber::of(first)))
            first = state.missing;
    return first;
}

/// `step`, or an earlier missing step that its tests reached: when `step` alone was checked.
const Step& to_do_first(const std::vector<Step>& steps, const Step& step, const StepState& state) {
    if (state.mark != Mark::open) return step;
    const auto missing =
        std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.number == state.missing; });
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

/// The step after `only` that was unsolved when the whole lab was last checked; none if `only` is not a step, or if
/// only optional ones are left.
const Step* step_behind(const std::vector<Step>& steps, const std::string& only, const std::filesystem::path& report) {
    const auto is_it = [&](const Step& step) { return step.number == only; };
    auto step = std::find_if(steps.begin(), steps.end(), is_it);
    if (step == steps.end()) return nullptr;
    const std::set<StepNumber> solved = solved_steps(report);
    const auto is_open = [&](const Step& other) { return !other.optional && solved.count(other.order()) == 0; };
    step = std::find_if(step + 1, steps.end(), is_open);
    return step == steps.end() ? nullptr : &*step;
}

/// The command that runs the lab's first demo with a sample.
std::string command_of_demo(const Settings& settings) {
    const std::string number = lab_number(settings);
    std::error_code missing;
    std::string first;
    for (const auto& sample : std::filesystem::directory_iterator(settings.samples, missing)) {
        const std::string name = sample.path().stem().string();
        if (name.starts_with(number + "_") && (first.empty() || name < first)) first = name;
    }
    return "./lab run " + number + (first.empty() ? "" : " " + first.substr(number.size() + 1)) + " --mine";
}

/// Whether `only` is a step, as opposed to a part of test names.
bool names_step(const std::vector<Step>& steps, const std::string& only) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.number == only; });
}

bool is_about(const Test& test, const std::vector<Step>& steps, const std::string& only) {
    if (only.empty() || names_step(steps, only)) return only.empty() || steps[test.step].number == only;
    return test.name.find(only) != std::string::npos || name_in_words(test.name).find(only) != std::string::npos;
}

}  // namespace

std::vector<Test> tests_about(const std::vector<Step>& steps, std::vector<Test> tests, const std::string& only) {
    tests.erase(
        std::remove_if(tests.begin(), tests.end(), [&](const Test& test) { return !is_about(test, steps, only); }),
        tests.end());
    if (!tests.empty()) return tests;
    std::string numbers;
    for (const Step& step : steps) numbers += " " + step.number;
    throw GraderError(says("No step and no test of the lab is called \"{0}\". The steps are{1}.", only, numbers));
}

namespace {

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

/// A test that spins while it records leaves hundreds of megabytes. Traces of this size are deleted unless the report
/// refers to them.
void remove_large_traces(const std::vector<Verdict>& verdicts, std::size_t told) {
    constexpr std::uintmax_t kLarge = 32 << 20;  // bytes
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        std::error_code missing;
        const std::uintmax_t size = std::filesystem::file_size(verdicts[i].trace, missing);
        if (i != told && !missing && size > kLarge) std::filesystem::remove(verdicts[i].trace, missing);
    }
}

/// Prints the next step if no test fails; returns the exit status.
int print_what_is_next(const Settings& settings, const std::vector<Step>& steps, const std::vector<StepState>& states,
                       const std::string& only, const std::filesystem::path& report) {
    if (const std::string missing = missing_below(steps, states); !missing.empty()) {
        const std::string lab = "0" + missing.substr(0, missing.find('.'));
        print_line(says("Lab {0}, which this one uses, is not solved: its step {1} is still to do. Do that first.", lab,
                        missing));
        print_check(lab);
        return 1;
    }
    if (const Step* step = next_step(steps, states)) {
        const bool rest_is_optional = step->optional && only.empty();
        if (rest_is_optional) print_line(says("The lab is solved; the remaining steps are optional."));
        print_next(settings, *step, rest_is_optional ? mark("Optional: step {0}, {1}") : mark("Next: step {0}, {1}"));
        return step->optional ? 0 : 1;
    }
    if (only.empty()) {
        print_line(says("The lab is solved."));
        print_pointer(mark("watch it"), command_of_demo(settings));
    } else if (const Step* step = step_behind(steps, only, report)) {
        print_next(settings, *step, mark("Next: step {0}, {1}"));
    } else {
        print_line(says("Next: the whole lab"));
        print_check(lab_number(settings));
    }
    return 0;
}

}  // namespace

int check(const Settings& settings, const std::filesystem::path& json, const std::string& only,
          const BuildOf& build_of) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tests_about(steps, tie(steps, list_tests(settings, settings.program)), only);
    const bool one_step = names_step(steps, only);
    const std::optional<FaultBelow> below = fault_below(settings, build_of, false);
    if (below) {
        print_fault_below(*below);
        std::printf("\n");
        std::fflush(stdout);
    }
    const std::vector<Verdict> verdicts = try_tests(settings, tests);
    if (only.empty()) write_json(json, "check", settings, tests, verdicts);
    if (one_step) renew_json(json, settings, only, tests, verdicts);

    std::vector<StepState> states;
    for (std::size_t i = 0; i < steps.size(); ++i) states.push_back(state_of(i, tests, verdicts));
    std::printf("%s\n\n", says("Lab {0}, your files in exercise/", settings.lab.filename().string()).c_str());
    print_steps(steps, states);
    std::printf("%s", unseen_in_words(steps, states, one_step).c_str());

    const std::size_t told = failure_to_tell(tests, verdicts);
    remove_large_traces(verdicts, told);
    if (told == verdicts.size()) return print_what_is_next(settings, steps, states, only, json);
    const Test& test = tests[told];
    std::printf("\n%s", story(settings, test, verdicts[told]).c_str());
    std::fflush(stdout);  // the next part may take long
    if (print_blame(settings, test, below, build_of)) return 1;
    print_next(settings, steps[test.step], mark("Repair step {0}, {1}"), test.name);
    return 1;
}

}  // namespace fiberscope::grader
