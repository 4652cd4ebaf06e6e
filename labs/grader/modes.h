// The four things that the grader is asked for. Each prints its findings and returns the exit status.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "labs/grader/session.h"

namespace fiberscope::grader {

/// What a build prints if it fails.
enum class Says { errors, nothing };

/// For the student: each step with its mark, the story of the first failure, what to do next. 0 if the lab is solved.
/// After three tests that hang no other is begun, so that the answer comes soon. With `only`, a step ("4.2") or a
/// part of a test's name, just these tests, and all that fail of them; of a step the
/// report is renewed.
/// The labs of settings.below are looked at first, as far as their tests are built; if a test fails, all of them. The
/// first that has a failure is to be repaired first. `build_of` builds their tests by their targets' names, and returns
/// 0 if they are built. It may be empty.
using BuildOf = std::function<int(const std::string& target, Says)>;
int check(const Settings& settings, const std::filesystem::path& json, const std::string& only,
          const BuildOf& build_of);

/// For CI: every test must pass. One line a step, the story of every failure.
int all(const Settings& settings, const std::filesystem::path& json);

/// For CI, on the untouched exercise/: every test must say "not implemented", of its own step or an earlier one. A test
/// that passes, fails or crashes on untouched files would mislead a student.
int starter(const Settings& settings, const std::filesystem::path& json);

/// For programs that read the report: each test is run once. Prints nothing; 0 if all pass. With `only` just these
/// tests, as of check. With `until_failure` none is begun after one that does not pass.
int once(const Settings& settings, const std::filesystem::path& json, const std::string& only, bool until_failure);

/// The tests of step `only` ("4.2"), or those whose name has `only` in it; all if it is empty. Throws GraderError if
/// there are none.
std::vector<Test> tests_about(const std::vector<Step>& steps, std::vector<Test> tests, const std::string& only);

/// Where and how targets are built.
struct Builder {
    std::filesystem::path directory;  ///< of the build
    Milliseconds limit{0};            ///< for a single step of the build
};

/// Builds `target`. Returns 0 if it is built; otherwise prints what the compiler says about the student's files, if
/// `says` asks for it, as it does of warnings. Throws GraderError if a step takes longer than the limit (no compiler is
/// left running then), and if the disk is full.
int build(const Builder& builder, const std::string& target, Says says);

/// The steps of which all tests pass, in the report that write_json last wrote; none if there is no such file.
std::set<StepNumber> solved_steps(const std::filesystem::path& file);

/// Writes the machine-readable report beside `file` and renames it; does nothing without a file. Throws GraderError.
void write_json(const std::filesystem::path& file, const std::string& mode, const Settings& settings,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts);

/// Puts these results, all of one step ("4.2"), in the place of those that the report has of it. Makes no report of a
/// lab that came solved.
void renew_json(const std::filesystem::path& file, const Settings& settings, const std::string& step,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts);

}  // namespace fiberscope::grader
