// The grader's command line: modes, their options, help and errors.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "labs/grader/session.h"

namespace fiberscope::grader {

enum class Mode { check, all, starter, once };

/// What a call asks for.
struct CommandLine {
    Mode mode = Mode::check;
    Settings settings;
    std::filesystem::path json;   ///< a report for other programs; empty: none
    std::filesystem::path build;  ///< where the lab's tests are built first; empty: they are built already

    Milliseconds build_time{0};  ///< how long a step of the build may take
    std::string only;            ///< of check and once: a step, or a part of a test's name; empty: all
    bool until_failure = false;  ///< of once
};

/// Reads the command line into `line`. Nothing if it can be obeyed; otherwise the exit status: 0 after the help was
/// printed, 2 after one sentence on stderr that says what is wrong.
std::optional<int> read_command_line(int argc, char** argv, CommandLine& line);

}  // namespace fiberscope::grader
