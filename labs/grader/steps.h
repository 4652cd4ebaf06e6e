// The steps of a lab, from labs/NN_*/steps.json, and which test belongs to which.
#pragma once

#include <compare>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::grader {

/// What makes grading impossible, in one sentence that says what to do.
class GraderError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// "1.3", ordered as numbers: 1.9 < 1.10. No number is before all others.
struct StepNumber {
    int lab = 0, step = 0;
    auto operator<=>(const StepNumber&) const = default;
    /// The number at the beginning of `text` ("1.3 nested …"), or 0.0 if there is none.
    static StepNumber of(std::string_view text) noexcept;
};

/// "1.3".
std::string in_words(StepNumber number);

/// Where a mistake may be as well that a step's tests find: in the work of an earlier step.
struct Candidate {
    std::string file;  ///< below the lab's directory
    std::string what;  ///< the function there
    std::string test;  ///< the only test that finds it; empty: any of the step's
};

/// What a step's contract says and its tests cannot see.
struct Unseen {
    std::string text;
    std::string from;  ///< the step whose tests see it; empty: no test does
};

struct Step {
    std::string number;  ///< "1.3"
    std::string title;
    std::vector<std::string> files;     ///< those to edit, below the lab's directory; at least one
    std::vector<Candidate> candidates;  ///< others, when its tests fail
    std::vector<std::string> read;      ///< what to read, below the lab's directory
    std::vector<std::string> first;     ///< tests: of several that fail the first of these is told; the simplest first
    /// Tests that are tried and told before all others of the lab: what they find reaches into every test.
    std::vector<std::string> before_all;
    std::vector<Unseen> unseen;
    bool optional = false;   ///< a lab is complete without it
    bool challenge = false;  ///< optional, and marked as such
    StepNumber order() const noexcept { return StepNumber::of(number); }
};

/// Throws GraderError naming the file and what is wrong in it.
std::vector<Step> read_steps(const std::filesystem::path& file);

/// What a failure of a test says: where the mistake is; that something of a whole run is wrong; or that among very many
/// cases there is a wrong one. A verdict is about the first of a step that fails, in this order.
enum class Kind { pinpoint, story, broad };

/// The kind by the words in the name: a story has "in the trace", "the work gives the same" or the like; a broad one
/// "very many", "random", "explored" or the like.
Kind kind_of(std::string_view test);

/// A test of the lab and the step that its name begins with.
struct Test {
    std::string name;
    std::size_t step = 0;           ///< index into the steps
    std::filesystem::path program;  ///< whose test it is; empty: the lab's own test binary
    std::size_t place = 0;          ///< in its step's list of those to be told first; not listed: behind its end
    bool listed = false;            ///< it stands in that list
};

/// Ties tests to steps, in the order of the steps; in each those first that the step lists, then by their kinds. Throws
/// GraderError if a step has no test or a test no step, since then something that the handout asks for would go
/// untested.
std::vector<Test> tie(const std::vector<Step>& steps, const std::vector<std::string>& names);

}  // namespace fiberscope::grader
