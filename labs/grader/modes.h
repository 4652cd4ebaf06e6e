// The modes of the grader, which print their findings and return the exit status; and what they have in common.
#pragma once

#include <string>
#include <vector>

#include "labs/grader/session.h"

namespace fiberscope::grader {

/// For students: prints each step with its mark, the report of the first failure, and what to do next. Returns 0 if the
/// lab is solved. Starts no further test after three that hang, so that the answer comes soon. With settings.only, a
/// step ("4.2") or a part of a test's name, runs just these tests; for a step its results in settings.report are
/// replaced.
int check(const Settings& settings);

/// For CI: every test must pass. Prints the steps and the report of every failure. On `untouched` exercise files every
/// test must report "not implemented" instead, for its own step or an earlier one: one that passes, fails or crashes
/// there would mislead students.
int all(const Settings& settings, bool untouched);

/// Builds `target` in settings.build, if that is set; returns whether it is built. Otherwise prints the compiler's
/// messages about the student's files, unless `quietly` (warnings are printed likewise).
bool build(const Settings& settings, const std::string& target, bool quietly = false);

/// Prints whose files cause the failure of `test`, if the lab has labs below it; returns true if one of these must be
/// fixed first. To find out, the test is run once more on the reference of the labs below: if it fails there too, the
/// mistake is in this lab; else the tests of the labs below are run, which may not find it. Only the labs' objects are
/// relinked for that.
bool print_blame(const Settings& settings, const Test& test);

/// A step has the worst mark of its tests.
enum class Mark { solved, waiting, open, failed };

/// One step of the lab.
struct StepState {
    Mark mark = Mark::solved;
    std::size_t tests = 0, passed = 0;
    std::string missing;   ///< open: the earliest missing step that its tests reached
    std::string left_out;  ///< why some of its tests were skipped; these are not in `tests`
};

/// The states of all steps.
std::vector<StepState> states_of(const std::vector<Step>& steps, const std::vector<Test>& tests,
                                 const std::vector<Verdict>& verdicts);

/// Prints a line for each step that has tests.
void print_steps(const std::vector<Step>& steps, const std::vector<StepState>& states);

/// The tests of step `only` ("4.2"), or those with `only` in their name; all if it is empty. Throws GraderError if
/// there are none.
std::vector<Test> tests_about(const std::vector<Step>& steps, std::vector<Test> tests, const std::string& only);

/// Writes the results for other programs to settings.report, if that is set: with `step` ("4.2") it replaces those of
/// this step only, and is a no-op for a lab that was given solved and not checked since.
void write_report(const Settings& settings, const std::string& step, const std::vector<Test>& tests,
                  const std::vector<Verdict>& verdicts);

}  // namespace fiberscope::grader
