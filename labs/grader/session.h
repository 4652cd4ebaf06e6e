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
    std::vector<std::filesystem::path> below;  ///< of check: the labs that this one stands on, the student's own work
    bool core = false;                         ///< a crash leaves a core dump beside its trace
    std::filesystem::path samples;             ///< of check: the recordings of the reference
    std::filesystem::path stand_in;  ///< of check: the test program with others' work below; empty: there is none
};

/// The lab as one words it in commands: "01" of "labs/01_switch_asm".
std::string lab_number(const Settings& settings);

/// Whether the lab was given solved (./lab start --solved-through).
bool came_solved(const std::filesystem::path& lab);

/// The names of the tests of `program`. Throws GraderError if it does not say.
std::vector<std::string> list_tests(const Settings& settings, const std::filesystem::path& program);

/// Runs `tests` and returns a verdict for each. `limits(i, so_far)` may
/// shorten the limits of test i or leave it out; its verdict is then `waiting`. Tests of very many get more.
using LimitsOf = std::function<std::optional<Limits>(std::size_t, const std::vector<Verdict>&)>;
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests, const LimitsOf& limits);

/// The same with the settings' limits for all.
std::vector<Verdict> run_tests(const Settings& settings, const std::vector<Test>& tests);

/// Runs those of `tests` that hung once more, one alone at a time, and replaces their verdicts; stops when `most` have
/// hung again. Returns the stories of those that did not hang again: their recordings are replaced.
std::vector<std::string> try_alone(const Settings& settings, const std::vector<Test>& tests,
                                   std::vector<Verdict>& verdicts, std::size_t most);

/// The count of `verdicts` with this result.
std::size_t count(const std::vector<Verdict>& verdicts, Result result);

/// It ran, and neither passed nor came to what is not written yet.
bool is_failure(const Verdict& verdict);

/// The verdicts on a student's tests: after the third that hangs no other is begun. The first that hung is run once
/// more, alone.
std::vector<Verdict> try_tests(const Settings& settings, const std::vector<Test>& tests);

/// What happened in one test: its name, the verdict with its details, the last ten events, where the trace lies.
std::string story(const Settings& settings, const Test& test, const Verdict& verdict);

/// `path` as one would type it here: relative if it lies below the current directory.
std::string shown(const std::filesystem::path& path);

}  // namespace fiberscope::grader
