// What the end of a test process means, in words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "labs/grader/process.h"

namespace fiberscope::grader {

enum class Result {
    passed,
    not_implemented,  ///< it came to a function that the student has not written yet
    failed,           ///< an assertion did not hold
    crashed,          ///< a signal
    hung,             ///< it did not end within its time
    left_early,       ///< it exited, but did not come to the end of the test
    not_started,      ///< the program could not be run
    waiting,          ///< it was not run: an earlier one hung
};

/// The result as one word, as it stands in JSON reports.
std::string_view word(Result result) noexcept;

struct Verdict {
    Result result = Result::waiting;
    std::string step;                  ///< not_implemented: the step that is missing
    std::string file;                  ///< not_implemented: the file to edit, if it said so
    std::string headline;              ///< one sentence without a full stop
    std::vector<std::string> details;  ///< lines: the expression, its values, what the program printed
    std::filesystem::path trace;       ///< what it recorded; empty if nothing
    Milliseconds took{0};
};

/// The verdict on a test that was given `nonce` and `limits`.
Verdict judge(const Outcome& outcome, std::string_view nonce, const Limits& limits);

/// The last `count` events of a trace in words, a line each; or one line that says why there are none.
std::vector<std::string> last_events(const std::filesystem::path& trace, std::size_t count);

/// A signal in words: "a memory access that is not allowed (SIGSEGV)".
std::string signal_in_words(int signal);

}  // namespace fiberscope::grader
