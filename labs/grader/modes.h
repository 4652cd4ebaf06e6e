// The four modes of the grader. Each prints its findings and returns the exit status.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "labs/grader/session.h"

namespace fiberscope::grader {

/// The output of a failed build.
enum class Says { errors, nothing };

/// For students: prints each step with its mark, the report of the first failure, and what to do next. Returns 0 if the
/// lab is solved. Starts no further test after three that hang, so that the answer comes soon. With `only`, a step
/// ("4.2") or a part of a test's name, runs just these tests and reports all failures; for a step the JSON report is
/// updated.
/// The labs of settings.below are checked first, as far as their tests are built, or completely if a test fails. The
/// first one with a failure is to be repaired first. `build_of` builds their tests, given target names, and returns 0
/// on success. It may be empty.
using BuildOf = std::function<int(const std::string& target, Says)>;
int check(const Settings& settings, const std::filesystem::path& json, const std::string& only,
          const BuildOf& build_of);

/// For CI: every test must pass. Prints one line per step and the report of every failure.
int all(const Settings& settings, const std::filesystem::path& json);

/// For CI, on the untouched exercise/: every test must report "not implemented", for its own step or an earlier one. A
/// test that passes, fails or crashes on untouched files would mislead students.
int starter(const Settings& settings, const std::filesystem::path& json);

/// For other programs that read the JSON report: runs each test once and prints nothing. Returns 0 if all pass. `only`
/// is as for check. With `until_failure` stops after the first test that does not pass.
int once(const Settings& settings, const std::filesystem::path& json, const std::string& only, bool until_failure);

/// The tests of step `only` ("4.2"), or those with `only` in their name; all if it is empty. Throws GraderError if
/// there are none.
std::vector<Test> tests_about(const std::vector<Step>& steps, std::vector<Test> tests, const std::string& only);

/// Settings for building targets.
struct Builder {
    std::filesystem::path directory;  ///< of the build
    Milliseconds limit{0};            ///< for a single step of the build
};

/// Builds `target`. Returns 0 on success; otherwise prints the compiler's messages about the student's files, if `says`
/// requests it (warnings are printed likewise). Throws GraderError if a step exceeds the time limit (the compiler is
/// then ended), or if the disk is full.
int build(const Builder& builder, const std::string& target, Says says);

/// The steps with all tests passed in the report last written by write_json; none if there is no such file.
std::set<StepNumber> solved_steps(const std::filesystem::path& file);

/// Writes the machine-readable report to a temporary file and renames it to `file`; no-op without a file. Throws
/// GraderError.
void write_json(const std::filesystem::path& file, const std::string& mode, const Settings& settings,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts);

/// Replaces the results of one step ("4.2") in the report by these. No-op for a lab that was given solved.
void renew_json(const std::filesystem::path& file, const Settings& settings, const std::string& step,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts);

}  // namespace fiberscope::grader
