// The labs below a lab: whether one of their mistakes causes its failures.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

namespace fs = std::filesystem;

/// Builds the program if possible; returns whether it exists.
bool is_built(const Settings& settings, const fs::path& program, bool quietly) {
    if (!settings.build.empty() && !fs::exists(program)) {  // the first build takes long, and the student waits
        std::fflush(stdout);
        std::fprintf(
            stderr, "%s\n",
            says("lab: building {0} to find out which lab has the mistake (only this once; it may take some minutes)",
                 program.filename().string())
                .c_str());
    }
    return build(settings, program.filename().string(), quietly) && fs::exists(program);
}

/// "5 of 6 tests of 1.2 pass", of the first step of a lab with a failure; empty if there is none.
std::string failure_of(const Settings& lab) {
    if (!is_built(lab, lab.program, false)) return says("your files there do not compile");
    const std::vector<Step> steps = read_steps(lab.lab / "steps.json");
    std::vector<Test> tests = list_tests(lab, steps);
    std::erase_if(tests, [](const Test& test) { return kind_of(test.name) == Kind::broad; });  // they take long
    const std::vector<Verdict> verdicts = try_tests(lab, tests, 3);
    const auto failure = std::ranges::find_if(verdicts, is_failure);
    if (failure == verdicts.end()) return "";
    const std::size_t step = tests[static_cast<std::size_t>(failure - verdicts.begin())].step;
    const StepState state = states_of(steps, tests, verdicts)[step];
    return says("{0} of {1} tests of {2} pass", std::to_string(state.passed), std::to_string(state.tests),
                steps[step].number);
}

/// Prints the first lab below with a failure, which must be fixed first; returns whether there is one.
bool print_failure_below(const Settings& settings) {
    for (const std::string& lab : settings.below) {
        Settings below = settings;
        below.lab = lab;
        const std::string number = lab_number(below);
        below.program = settings.program.parent_path() / ("lab" + number + "_tests");
        const std::string what = failure_of(below);
        if (what.empty()) continue;
        std::printf("%s\n  %s  ./lab check %s\n",
                    says("Lab {0}, which this lab uses: {1}. Fix that first.", number, what).c_str(),
                    says("type").c_str(), number.c_str());
        return true;
    }
    return false;
}

/// Whether the test passes on the reference of the labs below, and fails on the student's; no value if it is not the
/// same each time. A multi-threaded test may pass by chance: other files are blamed only if it passes repeatedly.
std::optional<bool> passes_there(const Settings& settings, const Settings& there, const Test& test) {
    constexpr int kTimes = 3;
    for (int i = 0; i < kTimes; ++i) {
        if (i > 0 && run_tests(settings, {test})[0].result == Result::passed) return std::nullopt;
        if (run_tests(there, {test})[0].result == Result::passed) continue;
        return i == 0 ? std::optional(false) : std::nullopt;
    }
    return true;
}

}  // namespace

bool print_blame(const Settings& settings, const Test& test) {
    if (settings.below.empty()) return false;
    Settings there = settings;
    there.program = settings.program.parent_path() / ("lab" + lab_number(settings) + "_stand_in");
    there.traces = settings.traces / "stand_in";
    const bool can_tell = is_built(settings, there.program, true);
    const std::optional<bool> passes = can_tell ? passes_there(settings, there, test) : std::nullopt;
    std::printf("\n");
    std::fflush(stdout);  // the tests below take long
    if (passes != false && print_failure_below(settings)) return true;
    const Text words =
        !can_tell
            ? mark("{0} could not be built: it is unknown whether the mistake is in this lab or in a lab that it uses.")
        : !passes ? mark("The lower labs pass their tests, or are given: the mistake is in this lab.")
        : *passes
            ? mark(
                  "With the reference of the lower labs this test passes: the mistake is in your files of those labs, "
                  "although their tests do not find it.")
            : mark("With the reference of the lower labs this test fails too: the mistake is in this lab.");
    std::printf("%s\n", says(words, there.program.filename().string()).c_str());
    return false;
}

}  // namespace fiberscope::grader
