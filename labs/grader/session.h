// Runs the tests of one lab, one process each, and determines their verdicts; the basis of all modes of the grader.
#pragma once

#include <string>
#include <vector>

#include "labs/grader/steps.h"
#include "labs/grader/verdict.h"

namespace fiberscope::grader {

struct Settings {
    std::filesystem::path lab;      ///< the lab's directory, which contains steps.json
    std::filesystem::path program;  ///< the test binary
    std::filesystem::path traces;   ///< directory for the recordings; created if missing
    Patience patience = Patience::of(Milliseconds(2000));
    unsigned parallel = 1;
    std::filesystem::path build;     ///< build directory for the lab's tests; empty: they are already built
    std::string only;                ///< a step, or a part of a test's name; empty: all
    std::filesystem::path report;    ///< machine-readable report; empty: none
    std::vector<std::string> below;  ///< for check: the labs below this one, with the student's own work
};

/// The lab's name in commands: "01" of "labs/01_switch_asm".
std::string lab_number(const Settings& settings);

/// The tests of settings.program, assigned to `steps`. Throws GraderError if it does not list them.
std::vector<Test> list_tests(const Settings& settings, const std::vector<Step>& steps);

/// Runs `tests` and returns a verdict for each. Tests of very many coroutines get larger limits. After `most_hangs`
/// hanging tests no other test is started; the verdict on the rest is `waiting`.
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests,
                               std::size_t most_hangs = std::size_t(-1));

/// The same, but reruns each test that hung without an earlier failure, alone. If none hangs then, the computer was
/// slow, and the waiting tests are run too.
std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests, std::size_t most_hangs);

/// The number of `verdicts` with this result.
std::size_t count(const std::vector<Verdict>& verdicts, Result result);

/// Whether the test ran, and neither passed nor reached a function that is not written yet.
bool is_failure(const Verdict& verdict);

/// The report of one test: its name, the verdict with its details, the last ten events, the path of its trace.
std::string story(const Settings& settings, const Test& test, const Verdict& verdict);

/// `path` as typed by the user: relative if it is below the current directory.
std::string shown(const std::filesystem::path& path);

}  // namespace fiberscope::grader
