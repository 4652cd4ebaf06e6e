// The steps of a lab, from labs/NN_*/steps.json, and the assignment of tests to steps.
#pragma once

#include <compare>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::grader {

/// An error that prevents grading: one sentence that says what to do.
class GraderError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// "1.3", ordered by number: 1.9 < 1.10. A missing number sorts first.
struct StepNumber {
    int lab = 0, step = 0;
    auto operator<=>(const StepNumber&) const = default;
    /// The number at the beginning of `text` ("1.3 nested …"), or 0.0 if there is none.
    static StepNumber of(std::string_view text) noexcept;
};

/// Another place that may contain the mistake a step's tests find: code written in an earlier step.
struct Candidate {
    std::string file;  ///< relative to the lab's directory
    std::string what;  ///< the function
    std::string test;  ///< the only test that finds it; empty: any test of the step
};

/// A requirement of a step's contract that its tests do not check.
struct Unseen {
    std::string text;
    std::string from;  ///< the step whose tests check it; empty: none
};

struct Step {
    std::string number;  ///< "1.3"
    std::string title;
    std::vector<std::string> files;     ///< files to edit, relative to the lab's directory; at least one
    std::vector<Candidate> candidates;  ///< further places to check when its tests fail
    std::vector<std::string> read;      ///< reading, relative to the lab's directory
    std::vector<std::string> first;  ///< tests in order of reporting, simplest first: the first that fails is reported
    /// Tests that run and are reported before all others of the lab, because they find mistakes that affect every test.
    std::vector<std::string> before_all;
    std::vector<Unseen> unseen;
    bool optional = false;   ///< not required to complete the lab
    bool challenge = false;  ///< optional, and marked as such
    StepNumber order() const noexcept { return StepNumber::of(number); }
};

/// Throws GraderError with the file and the error in it.
std::vector<Step> read_steps(const std::filesystem::path& file);

/// The kind of a test: it locates a mistake; checks a whole run; or searches very many cases for a wrong one. A step's
/// verdict is about the first failure in this order.
enum class Kind { pinpoint, story, broad };

/// Determines the kind by words in the name: a story has "in the trace", "the work gives the same" or similar; a broad
/// test "very many", "random", "explored" or similar.
Kind kind_of(std::string_view test);

/// A test of the lab and the step that its name begins with.
struct Test {
    std::string name;
    std::size_t step = 0;  ///< index into the steps
    bool listed = false;   ///< whether the step's order of reporting lists it
};

/// Ties tests to steps, in the order of the steps; in each those first that the step lists, then by their kinds. Throws
/// GraderError if a step has no test or a test no step, since then something that the handout asks for would go
/// untested.
std::vector<Test> tie(const std::vector<Step>& steps, const std::vector<std::string>& names);

}  // namespace fiberscope::grader
