// Runs programs that may crash, hang, recurse or print endlessly, several at a time, and reports how each ended. No
// shell; every program runs in its own session, all of whose processes are gone when its outcome is known: a build tool
// puts each compiler into a separate process group.
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
    /// Working directory, in which a crash may leave a core dump; empty: the current one, without core dump.
    std::filesystem::path core = {};
};

struct Limits {
    Patience patience;            ///< exceeding it causes SIGTERM, and shortly afterwards SIGKILL
    std::size_t output = 65'536;  ///< bytes of stdout and stderr that are kept; the rest is read and discarded
};

enum class End { exited, signalled, timed_out, not_started };

struct Outcome {
    End end = End::not_started;
    int status = 0;      ///< exit status, or the signal's number
    std::string output;  ///< stdout and stderr, interleaved as received
    bool output_cut = false;
    std::string report;               ///< data received from FIBERSCOPE_REPORT_FD (labs/kit/report/report.h)
    Milliseconds took{0};             ///< elapsed time
    Milliseconds used{0};             ///< CPU time, including children that it waited for
    Reached reached = Reached::none;  ///< for timed_out: the limit
    int waited_percent = 0;           ///< for timed_out: percentage of the time spent waiting for a processor
    std::string error;                ///< for not_started: the reason
};

/// Runs command(0) … command(count-1) in order, at most `parallel` at a time. `limits(i)` is called immediately before
/// i starts; if it returns nothing, i is skipped. `done(i, outcome)` is called as each ends, in any order.
void run_all(std::size_t count, unsigned parallel, const std::function<Command(std::size_t)>& command,
             const std::function<std::optional<Limits>(std::size_t)>& limits,
             const std::function<void(std::size_t, Outcome)>& done);

/// Runs one.
Outcome run(const Command& command, const Limits& limits);

}  // namespace fiberscope::grader
