// Runs programs that may crash, hang, recurse or print endlessly, several at a time, and reports how each ended. No
// shell; every program runs in its own session, all of whose processes are gone when its outcome is known: a build tool
// puts each compiler into a separate process group.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fiberscope::grader {

using Milliseconds = std::chrono::milliseconds;

/// Time limits that measure work rather than elapsed time: on a busy computer a test that needs half a second of CPU
/// time may take ten. By default there is no limit. Exceeding one causes SIGTERM, and shortly afterwards SIGKILL.
struct Patience {
    /// CPU time of the live processes of its session; kernel time counts a fifth.
    Milliseconds processor{0};
    Milliseconds idle{0};  ///< consecutive time in which no thread of its session runs or waits for a processor
    Milliseconds elapsed{0};

    /// For a test that should need at most `processor`.
    static Patience of(Milliseconds processor) noexcept { return {processor, processor * 5 / 4, processor * 30}; }
    /// The same for a test of very many coroutines: mapping 100,000 stacks takes nine seconds on some computers.
    Patience for_very_many() const noexcept { return {processor * 5, idle, elapsed * 5}; }
};

struct Command {
    std::vector<std::string> arguments;  ///< the program first; looked up in PATH if it has no slash
    std::vector<std::pair<std::string, std::string>> environment;  ///< added to that of this process
    Patience patience;
};

/// The limit that ended a program.
enum class Reached { none, processor, idle, elapsed };

struct Outcome {
    Reached reached = Reached::none;
    int signal = 0;      ///< that ended it; 0 if it exited
    int status = 0;      ///< exit status; 127 if it could not be started: then the output says why
    std::string output;  ///< stdout and stderr, interleaved as received; the first megabyte
    bool output_cut = false;
    std::string report;    ///< data received from FIBERSCOPE_REPORT_FD (labs/kit/report/report.h)
    Milliseconds used{0};  ///< if a limit was reached: CPU time of the live processes of its session
};

/// Runs command(0) … command(count-1) in order, at most `parallel` at a time. `command(i)` is called immediately before
/// i starts; if it returns nothing, i is skipped. `done(i, outcome)` is called as each ends, in any order.
void run_all(std::size_t count, unsigned parallel, const std::function<std::optional<Command>(std::size_t)>& command,
             const std::function<void(std::size_t, const Outcome&)>& done);

/// Runs one.
Outcome run(const Command& command);

}  // namespace fiberscope::grader
