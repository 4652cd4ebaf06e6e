// The tests of one lab, run one process each, and their verdicts: what all modes of the grader stand on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "labs/grader/steps.h"
#include "labs/grader/verdict.h"

namespace fiberscope::grader {

struct Settings {
    std::filesystem::path lab;      ///< the lab's directory, which has steps.json
    std::filesystem::path program;  ///< the test binary
    std::filesystem::path traces;   ///< where each test records; made if missing
    std::vector<std::string> wrap;  ///< what runs the program (an emulator), its arguments too
    Limits limits;
    unsigned parallel = 1;
};

/// The lab as one words it in commands: "01" of "labs/01_switch_asm".
std::string lab_number(const Settings& settings);

/// The names of the tests of `program`. Throws GraderError if it does not say.
std::vector<std::string> list_tests(const Settings& settings, const std::filesystem::path& program);

/// Runs `tests` and returns a verdict for each. `limits(i, so_far)` may
/// shorten the limits of test i or leave it out; its verdict is then `waiting`.
using LimitsOf = std::function<std::optional<Limits>(std::size_t, const std::vector<Verdict>&)>;
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests, const LimitsOf& limits);

/// The same with the settings' limits for all.
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests);

/// What happened in one test: its name, the verdict with its details, the last ten events, where the trace lies.
std::string story(const Settings& settings, const Test& test, const Verdict& verdict);

/// `path` as one would type it here: relative if it lies below the current directory.
std::string shown(const std::filesystem::path& path);

}  // namespace fiberscope::grader
