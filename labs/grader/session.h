// Runs the tests of one lab, one process each, and determines their verdicts; the basis of all modes of the grader.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "labs/grader/steps.h"
#include "labs/grader/verdict.h"

namespace fiberscope::grader {

struct Settings {
    std::filesystem::path lab;      ///< the lab's directory, which contains steps.json
    std::filesystem::path program;  ///< the test binary
    std::filesystem::path traces;   ///< directory for the recordings; created if missing
    std::vector<std::string> wrap;  ///< wrapper command for the program (an emulator), with its arguments
    Limits limits;
    unsigned parallel = 1;
    std::vector<std::filesystem::path> below;  ///< for check: the labs below this one, with the student's own work
    bool core = false;                         ///< keep the core dump of a crash beside its trace
    std::filesystem::path samples;             ///< for check: the recordings of the reference
    std::filesystem::path stand_in;  ///< for check: the test program on the reference of the labs below; may be empty
};

/// The lab's name in commands: "01" of "labs/01_switch_asm".
std::string lab_number(const Settings& settings);

/// Whether the lab was given solved (./lab start --solved-through).
bool came_solved(const std::filesystem::path& lab);

/// The names of the tests of `program`. Throws GraderError if it does not list them.
std::vector<std::string> list_tests(const Settings& settings, const std::filesystem::path& program);

/// Runs `tests` and returns a verdict for each. `limits(i, so_far)` may shorten the limits of test i or skip it; its
/// verdict is then `waiting`. Tests of very many coroutines get larger limits.
using LimitsOf = std::function<std::optional<Limits>(std::size_t, const std::vector<Verdict>&)>;
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests, const LimitsOf& limits);

/// The same with the settings' limits for all.
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests);

/// Reruns those of `tests` that hung, one at a time, and replaces their verdicts; stops when `most` have hung again.
/// Returns the reports of those that did not hang again, because their recordings are replaced.
std::vector<std::string> try_alone(const Settings& settings, const std::vector<Test>& tests,
                                   std::vector<Verdict>& verdicts, std::size_t most);

/// The number of `verdicts` with this result.
std::size_t count(const std::vector<Verdict>& verdicts, Result result);

/// It ran, and neither passed nor reached a function that is not written yet.
bool is_failure(const Verdict& verdict);

/// The verdicts on a student's tests: no test is started after the third that hangs. The first that hung is rerun
/// alone.
std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests);

/// The report of one test: its name, the verdict with its details, the last ten events, the path of its trace.
std::string story(const Settings& settings, const Test& test, const Verdict& verdict);

/// `path` as typed by the user: relative if it is below the current directory.
std::string shown(const std::filesystem::path& path);

}  // namespace fiberscope::grader
