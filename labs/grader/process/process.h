// Runs programs that may crash, hang, recurse without end or print without end, several at a time, and says how each
// ended. No shell; every program has a session of its own, and all of that are gone when its outcome is known: a build
// tool puts each compiler into a group of its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "labs/grader/process/patience.h"

namespace fiberscope::grader {

struct Command {
    std::vector<std::string> arguments;  ///< the program first; looked up in PATH if it has no slash
    std::vector<std::pair<std::string, std::string>> environment;  ///< added to that of this process
    /// The program runs in this directory, where a crash may leave a core dump; empty: it runs here and leaves none.
    std::filesystem::path core = {};
};

struct Limits {
    Patience patience;            ///< then SIGTERM, and a moment later SIGKILL
    std::size_t output = 65'536;  ///< bytes of stdout and stderr that are kept; the rest is read and dropped
};

enum class End { exited, signalled, timed_out, not_started };

struct Outcome {
    End end = End::not_started;
    int status = 0;      ///< exit status, or the signal's number
    std::string output;  ///< stdout and stderr as they came
    bool output_cut = false;
    std::string report;               ///< what came through FIBERSCOPE_REPORT_FD (labs/kit/report/report.h)
    Milliseconds took{0};             ///< by the clock
    Milliseconds used{0};             ///< of processors, those that it waited for (its children) too
    Reached reached = Reached::none;  ///< timed_out: which limit
    int waited_percent = 0;           ///< timed_out: of the time it took, for a processor
    std::string error;                ///< not_started: why
};

/// Runs command(0) … command(count-1), at most `parallel` at a time, in order. `limits(i)` is asked just before i would
/// start: nothing means that i is left out. `done(i, outcome)` is called as each ends, not in order.
void run_all(std::size_t count, unsigned parallel, const std::function<Command(std::size_t)>& command,
             const std::function<std::optional<Limits>(std::size_t)>& limits,
             const std::function<void(std::size_t, Outcome)>& done);

/// Runs one.
Outcome run(const Command& command, const Limits& limits);

}  // namespace fiberscope::grader
