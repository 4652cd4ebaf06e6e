// The verdict on a test process, in words.
#pragma once

#include <cstdint>
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
    not_started,      ///< the program could not be run
    waiting,          ///< it was not run: earlier ones hung
    left_out,         ///< the system refuses what it is about: neither passed nor failed
};

/// The result as one word, as in JSON reports.
std::string_view word(Result result) noexcept;

struct Verdict {
    Result result = Result::waiting;
    std::string step;                  ///< not_implemented: the step that is missing
    std::string file;                  ///< not_implemented: the file to edit, if it said so
    std::string headline;              ///< one sentence without a full stop
    std::vector<std::string> details;  ///< lines: the expression, its values, what the program printed
    bool has_failures = false;         ///< assertions failed before it ended, crashed or was ended
    std::filesystem::path trace;       ///< what it recorded; empty if nothing
    std::filesystem::path core;        ///< the core dump that the crash has left; empty if none
    Milliseconds took{0}, used{0};     ///< by the clock; of processors
};

/// The parameters of a test's run.
struct Question {
    std::string nonce;  ///< the word by which its own main says that it came to its end
    Patience patience;
    StepNumber step;  ///< its own step; a stub of a later step does not count. None: every stub counts
};

Verdict judge(const Outcome& outcome, const Question& question);

struct TraceStory {
    /// The last events in words, a line each, with the registers that came back different from how they were left; or
    /// one line that says why there are none.
    std::vector<std::string> lines;
    std::size_t at = 0;         ///< the event of the failure, from 1; 0 if unknown
    std::uint64_t dropped = 0;  ///< events that are not in the file: it reached its limit, or the disk was full
    bool shows = true;          ///< a viewer has something to show of it: a coroutine, or a set that is used
};

/// The story of the last `count` events of a trace.
TraceStory story_of(const std::filesystem::path& trace, std::size_t count);

/// "0.25 s".
std::string in_seconds(Milliseconds time);

}  // namespace fiberscope::grader
