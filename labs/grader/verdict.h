// The verdict on a test process, in words.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "labs/grader/process/process.h"
#include "labs/grader/steps.h"

namespace fiberscope::grader {

enum class Result {
    passed,
    not_implemented,  ///< it came to a function that the student has not written yet
    failed,           ///< an assertion did not hold
    crashed,          ///< a signal
    hung,             ///< it did not end within its time
    left_early,       ///< it exited, but did not come to the end of the test
    waiting,          ///< it was not run: earlier ones hung
    left_out,         ///< the system refuses what it is about: neither passed nor failed
};

/// The result as one word, as in JSON reports.
std::string_view word(Result result) noexcept;

struct Verdict {
    Result result = Result::waiting;
    std::string step;                  ///< not_implemented: the step that is missing
    std::string headline;              ///< one sentence without a full stop
    std::vector<std::string> details;  ///< lines: the expression, its values, what the program printed
    bool has_failures = false;         ///< assertions failed before it ended, crashed or was ended
    std::filesystem::path trace;       ///< what it recorded
};

/// The verdict on a test of step `own` ("1.3") that was run with this `patience`. Reaching a stub of a later step is a
/// failure; if `own` is empty, no stub is.
Verdict judge(const Outcome& outcome, const Patience& patience, std::string_view own);

}  // namespace fiberscope::grader
