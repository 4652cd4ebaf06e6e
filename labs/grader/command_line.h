// The grader's command line: modes, their options, help and errors.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "labs/grader/session.h"

namespace fiberscope::grader {

enum class Mode { check, all, starter, once };

/// The parsed command line.
struct CommandLine {
    Mode mode = Mode::check;
    Settings settings;
    std::filesystem::path json;   ///< machine-readable report; empty: none
    std::filesystem::path build;  ///< build directory for the lab's tests; empty: they are already built

    Milliseconds build_time{0};  ///< time limit for one step of the build
    std::string only;            ///< for check and once: a step, or a part of a test's name; empty: all
    bool until_failure = false;  ///< for once
};

/// Parses the command line into `line`. Returns nothing on success, otherwise the exit status: 0 after printing help, 2
/// after printing an error message to stderr.
std::optional<int> read_command_line(int argc, char** argv, CommandLine& line);

}  // namespace fiberscope::grader
